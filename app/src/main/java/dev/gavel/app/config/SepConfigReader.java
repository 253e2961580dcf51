package dev.gavel.app.config;

import dev.gavel.cli.SecretValueResolver;
import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.notification.MailSettings;
import dev.gavel.sep.notification.Webhook;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.process.DocumentTemplateFile;
import dev.gavel.sep.service.LedgerSepService;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.web.identity.Identity;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.WordSuggester;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration's section {@code sep}, and adds the SEP service as a member of the topic that the section
 * names. The file need not list the SEP service among identities and participants. A topic that only this section names
 * is created with suitable members. Not thread-safe.
 */
final class SepConfigReader {
    private static final CapabilitySet SEP_SERVICE_CAPABILITIES =
            CapabilitySet.compile(List.of("mcp.response.*")).orThrow();

    private static final CapabilitySet ALL_CAPABILITIES =
            CapabilitySet.compile(List.of("*")).orThrow();

    /** Reading, and the operations that every identity may use; for everything else an author makes proposals. */
    private static final CapabilitySet AUTHOR_CAPABILITIES = authorCapabilities();

    private static final List<String> KINDS = Arrays.stream(Webhook.Kind.values())
            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
            .toList();

    private static final Duration MIN_SWEEP = Duration.ofMinutes(1);

    private final String file;
    private final Function<String, @Nullable String> environment;
    private final ProblemCollector problemCollector;
    private final ServerConfig.SepConfig sepConfig;
    private final Optional<SourcePosition> sepServicePosition;

    /**
     * Reads the section.
     *
     * @param file the configuration file; process files are resolved relative to it
     */
    SepConfigReader(
            YamlMappingReader root,
            String file,
            Function<String, @Nullable String> environment,
            ProblemCollector problemCollector) {
        this.file = file;
        this.environment = environment;
        this.problemCollector = problemCollector;
        this.sepServicePosition = root.entries("identities").stream()
                .filter(entry -> entry.key().text().equals(Identity.SEP_SERVICE))
                .map(entry -> entry.key().position())
                .findFirst();
        this.sepConfig = root.mapping("sep").map(this::read).orElseGet(ServerConfig.SepConfig::defaults);
    }

    private static CapabilitySet authorCapabilities() {
        List<String> patterns = new ArrayList<>(List.of("mcp.request.tools/list", "mcp.request.ping"));
        for (SepOperation sepOperation : SepOperation.values()) {
            boolean openToAll = !sepOperation.isMutating()
                    || sepOperation == SepOperation.SUBMIT
                    || sepOperation == SepOperation.COMMENT;
            sepOperation
                    .toolName()
                    .filter(tool -> openToAll)
                    .ifPresent(tool -> patterns.add("mcp.request.tools/call:" + tool));
        }
        patterns.addAll(List.of("mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"));
        return CapabilitySet.compile(patterns).orThrow();
    }

    ServerConfig.SepConfig sep() {
        return sepConfig;
    }

    /** Adds the SEP service to the identities, unless the file lists it. */
    void addIdentity(Map<String, Identity> identities) {
        Identity existing = identities.get(Identity.SEP_SERVICE);
        if (existing != null && existing.token().isPresent()) {
            problemCollector.add(
                    sepServicePosition.orElse(new SourcePosition(file, 1, 1)),
                    "'" + Identity.SEP_SERVICE
                            + "' is the name of the "
                            + sepConfig.processDefinition().terms().name()
                            + " service, which needs no token. Use another name for this identity.");
        }
        if (sepConfig.topic().isPresent()) {
            identities.putIfAbsent(
                    Identity.SEP_SERVICE,
                    new Identity(
                            Identity.SEP_SERVICE,
                            sepConfig.processDefinition().terms().name() + " service",
                            Set.of(),
                            List.of(),
                            Optional.empty()));
        }
    }

    /**
     * Returns the topics, with the SEP service as a member of its topic. Adds the topic if only this section names it.
     */
    Map<String, ServerConfig.Topic> addMember(
            Map<String, ServerConfig.Topic> topics, Map<String, Identity> identities) {
        if (sepConfig.topic().isEmpty()) {
            return topics;
        }
        Map<String, ServerConfig.Topic> all = new LinkedHashMap<>(topics);
        String name = sepConfig.topic().get();
        ServerConfig.Topic topic = all.get(name);
        if (topic == null) {
            all.put(name, new ServerConfig.Topic(name, membersOfNewTopic(identities), DefaultServerConfig.RULES, true));
        } else {
            Map<String, CapabilitySet> members = new LinkedHashMap<>(topic.members());
            members.putIfAbsent(Identity.SEP_SERVICE, SEP_SERVICE_CAPABILITIES);
            all.put(name, topic.withMembers(members));
        }
        return all;
    }

    private Map<String, CapabilitySet> membersOfNewTopic(Map<String, Identity> identities) {
        Set<String> roles = sepConfig.roles();
        Map<String, CapabilitySet> members = new LinkedHashMap<>();
        identities.values().forEach(identity -> {
            if (identity.roles().stream().anyMatch(role -> role.equals(Identity.ADMIN) || roles.contains(role))) {
                members.put(identity.id(), ALL_CAPABILITIES);
            } else if (identity.token().isPresent()) {
                members.put(identity.id(), AUTHOR_CAPABILITIES);
            }
        });
        members.put(Identity.SEP_SERVICE, SEP_SERVICE_CAPABILITIES);
        return members;
    }

    private ServerConfig.SepConfig read(YamlMappingReader yamlMappingReader) {
        ProcessDefinition processDefinition = process(yamlMappingReader, file, problemCollector);
        Optional<String> topic = yamlMappingReader.string("topic");
        if (topic.isPresent()
                && TopicName.parse(topic.get()) instanceof ValueParseResult.Invalid<TopicName>(String problem)) {
            problemCollector.add(yamlMappingReader.position("topic"), problem);
            topic = Optional.empty();
        }
        List<Webhook> webhooks = new ArrayList<>();
        yamlMappingReader.items("webhooks").forEach(item -> webhook(item).ifPresent(webhooks::add));
        int wip = yamlMappingReader.integer("wip").orElse(ServerConfig.SepConfig.DEFAULT_WIP);
        if (wip < 1) {
            problemCollector.add(yamlMappingReader.position("wip"), "'wip' must be at least 1");
        }
        Optional<Duration> sweep = sweep(yamlMappingReader);
        Optional<MailSettings> mail = ContactConfigReader.readMail(yamlMappingReader, environment, problemCollector);
        yamlMappingReader.reportUnknownKeys();
        return new ServerConfig.SepConfig(true, processDefinition, topic, webhooks, mail, Map.of(), wip, sweep);
    }

    /** Reads the process that the section {@code sep} names, and nothing else of the section. */
    static ProcessDefinition process(
            YamlMappingReader yamlMappingReader, String file, ProblemCollector problemCollector) {
        return yamlMappingReader
                .string("process")
                .flatMap(text -> process(yamlMappingReader.position("process"), text, file, problemCollector))
                .orElseGet(BuiltInProcesses::defaultProcess);
    }

    private Optional<Duration> sweep(YamlMappingReader yamlMappingReader) {
        Optional<String> sweepText = yamlMappingReader.string("sweep");
        if (sweepText.isEmpty()) {
            return Optional.of(ServerConfig.SepConfig.DEFAULT_SWEEP);
        }
        if (sweepText.get().equals("off")) {
            return Optional.empty();
        }
        Optional<Duration> every =
                yamlMappingReader.parse("sweep", "off or a duration such as 1h", YamlMappingReader::parseDuration);
        if (every.isPresent() && every.get().compareTo(MIN_SWEEP) < 0) {
            problemCollector.add(yamlMappingReader.position("sweep"), "'sweep' must be at least 1m, or off");
        }
        return every;
    }

    private static Optional<ProcessDefinition> process(
            SourcePosition position, String text, String file, ProblemCollector problemCollector) {
        if (!text.endsWith(".yaml") && !text.endsWith(".yml")) {
            Optional<ProcessDefinition> known = BuiltInProcesses.find(text);
            if (known.isEmpty()) {
                problemCollector.add(
                        position,
                        "unknown process '" + SafeText.line(text) + "'"
                                + WordSuggester.suggest(text, BuiltInProcesses.names())
                                        .map(near -> ". Did you mean '" + near + "'?")
                                        .orElse(". Use " + String.join(", ", BuiltInProcesses.names())
                                                + ", or a file that ends in .yaml."));
            }
            return known;
        }
        Path path;
        String content;
        try {
            path = Path.of(file).resolveSibling(text);
            content = Files.readString(path, StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            problemCollector.add(position, "cannot read the process file " + SafeText.line(text));
            return Optional.empty();
        }
        return switch (ProcessFileParser.parse(path.toString(), content)) {
            case ProcessParseResult.Valid valid -> {
                Optional<String> objection = LedgerSepService.findUnsupportedFacts(valid.processDefinition());
                objection.ifPresent(why -> problemCollector.add(position, why));
                yield objection.isEmpty()
                        ? withTemplate(position, valid.processDefinition(), path, problemCollector)
                        : Optional.empty();
            }
            case ProcessParseResult.Invalid invalid -> {
                invalid.problems().forEach(problem -> problemCollector.add(problem.position(), problem.message()));
                yield Optional.empty();
            }
        };
    }

    private static Optional<ProcessDefinition> withTemplate(
            SourcePosition position,
            ProcessDefinition processDefinition,
            Path processFile,
            ProblemCollector problemCollector) {
        try {
            return Optional.of(DocumentTemplateFile.addTo(processDefinition, processFile));
        } catch (IOException e) {
            problemCollector.add(
                    position, "cannot read the template: " + SafeText.line(String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private Optional<Webhook> webhook(YamlNode item) {
        if (item instanceof YamlNode.Scalar scalar) {
            return url(scalar.position(), scalar.text()).map(Webhook::of);
        }
        YamlMappingReader yamlMappingReader = YamlMappingReader.of(item, problemCollector);
        Optional<Webhook> guessed = yamlMappingReader
                .requiredString("url")
                .flatMap(text -> url(yamlMappingReader.position("url"), text))
                .map(Webhook::of);
        Optional<String> kindText = yamlMappingReader.string("kind");
        Optional<Webhook.Kind> kind = kindText.flatMap(Webhook.Kind::parse);
        if (kindText.isPresent() && kind.isEmpty()) {
            problemCollector.add(
                    yamlMappingReader.position("kind"),
                    "'" + SafeText.line(kindText.get()) + "' is not a kind of webhook"
                            + WordSuggester.suggest(kindText.get(), KINDS)
                                    .map(near -> ". Did you mean '" + near + "'?")
                                    .orElse(". Use " + String.join(", ", KINDS) + "."));
        }
        yamlMappingReader.reportUnknownKeys();
        return guessed.map(hook ->
                kind.map(sweepText -> new Webhook(hook.url(), sweepText)).orElse(hook));
    }

    private Optional<URI> url(SourcePosition position, String text) {
        return switch (SecretValueResolver.resolve(text, environment)) {
            case ValueParseResult.Invalid<String>(String problem) -> {
                problemCollector.add(position, problem);
                yield Optional.empty();
            }
            case ValueParseResult.Valid<String>(String value) -> {
                Optional<URI> url = address(value.strip());
                if (url.isEmpty()) {
                    // The message does not repeat the URL: it allows writing to the channel behind it.
                    problemCollector.add(
                            position,
                            "a webhook must be a URL such as https://example.org/hook, env:NAME or file:PATH");
                }
                yield url;
            }
        };
    }

    private static Optional<URI> address(String text) {
        try {
            URI url = URI.create(text);
            return Webhook.validate(url).isEmpty() ? Optional.of(url) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
