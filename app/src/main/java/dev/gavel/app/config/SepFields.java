package dev.gavel.app.config;

import dev.gavel.app.identity.Identity;
import dev.gavel.lifecycle.file.ProcessFile;
import dev.gavel.lifecycle.file.Reading;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.LedgerDesk;
import dev.gavel.sep.desk.Verb;
import dev.gavel.sep.process.Processes;
import dev.gavel.sep.sweep.Webhook;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Nearest;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
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
 * Reads how the SEP desk is run. The desk need not be named among identities and participants, and a topic that is only
 * named here is what such a topic should be. Not thread-safe.
 */
final class SepFields {
    private static final Capabilities ANSWERS =
            Capabilities.compile(List.of("mcp.response.*")).orThrow();

    private static final Capabilities EVERYTHING =
            Capabilities.compile(List.of("*")).orThrow();

    /** Reading, and what anybody may do in a process; for all else there are proposals. */
    private static final Capabilities USUAL = usual();

    private static final List<String> KINDS = Arrays.stream(Webhook.Kind.values())
            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
            .toList();

    private static final Duration SHORTEST_SWEEP = Duration.ofMinutes(1);

    private final String file;
    private final Function<String, @Nullable String> environment;
    private final Problems problems;
    private final Config.Sep sep;
    private final Optional<Position> named;

    /**
     * Reads it.
     *
     * @param file the configuration file, beside which process files are looked for
     */
    SepFields(Fields root, String file, Function<String, @Nullable String> environment, Problems problems) {
        this.file = file;
        this.environment = environment;
        this.problems = problems;
        this.named = root.entries("identities").stream()
                .filter(entry -> entry.key().text().equals(Identity.DESK))
                .map(entry -> entry.key().position())
                .findFirst();
        this.sep = root.fields("sep").map(this::read).orElseGet(Config.Sep::usual);
    }

    private static Capabilities usual() {
        List<String> patterns = new ArrayList<>(List.of("mcp.request.tools/list", "mcp.request.ping"));
        for (Verb verb : Verb.values()) {
            boolean anybodys = !verb.changes() || verb == Verb.SUBMIT || verb == Verb.COMMENT;
            verb.tool().filter(tool -> anybodys).ifPresent(tool -> patterns.add("mcp.request.tools/call:" + tool));
        }
        patterns.addAll(List.of("mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"));
        return Capabilities.compile(patterns).orThrow();
    }

    Config.Sep sep() {
        return sep;
    }

    /** Adds the desk to the identities, where nobody named it. */
    void imply(Map<String, Identity> identities) {
        Identity given = identities.get(Identity.DESK);
        if (given != null && given.token().isPresent()) {
            problems.add(
                    named.orElse(new Position(file, 1, 1)),
                    "'" + Identity.DESK
                            + "' is the name of the SEP desk itself, which needs no token; use another name");
        }
        if (sep.topic().isPresent()) {
            identities.putIfAbsent(
                    Identity.DESK, new Identity(Identity.DESK, "SEP desk", Set.of(), List.of(), Optional.empty()));
        }
    }

    /** The topics, with the desk a member of its own; one that is only named as the desk's is added. */
    Map<String, Config.Topic> implied(Map<String, Config.Topic> topics, Map<String, Identity> identities) {
        if (sep.topic().isEmpty()) {
            return topics;
        }
        Map<String, Config.Topic> all = new LinkedHashMap<>(topics);
        String name = sep.topic().get();
        Config.Topic topic = all.get(name);
        if (topic == null) {
            all.put(name, new Config.Topic(name, everybody(identities), Defaults.RULES, true));
        } else {
            Map<String, Capabilities> members = new LinkedHashMap<>(topic.members());
            members.putIfAbsent(Identity.DESK, ANSWERS);
            all.put(name, new Config.Topic(name, members, topic.rules(), topic.ledger()));
        }
        return all;
    }

    private Map<String, Capabilities> everybody(Map<String, Identity> identities) {
        Set<String> roles = sep.roles();
        Map<String, Capabilities> members = new LinkedHashMap<>();
        identities.values().forEach(identity -> {
            if (identity.roles().stream().anyMatch(role -> role.equals(Identity.ADMIN) || roles.contains(role))) {
                members.put(identity.id(), EVERYTHING);
            } else if (identity.token().isPresent()) {
                members.put(identity.id(), USUAL);
            }
        });
        members.put(Identity.DESK, ANSWERS);
        return members;
    }

    private Config.Sep read(Fields fields) {
        Process process = fields.string("process")
                .flatMap(text -> process(fields.position("process"), text))
                .orElseGet(Processes::usual);
        Optional<String> topic = fields.string("topic");
        if (topic.isPresent() && TopicName.parse(topic.get()) instanceof Parsed.Invalid<TopicName>(String problem)) {
            problems.add(fields.position("topic"), problem);
            topic = Optional.empty();
        }
        List<Webhook> webhooks = new ArrayList<>();
        fields.items("webhooks").forEach(item -> webhook(item).ifPresent(webhooks::add));
        int wip = fields.integer("wip").orElse(Config.Sep.WIP);
        if (wip < 1) {
            problems.add(fields.position("wip"), "'wip' must be at least 1");
        }
        Optional<Duration> sweep = sweep(fields);
        fields.done();
        return new Config.Sep(true, process, topic, webhooks, wip, sweep);
    }

    private Optional<Duration> sweep(Fields fields) {
        Optional<String> said = fields.string("sweep");
        if (said.isEmpty()) {
            return Optional.of(Config.Sep.SWEEP);
        }
        if (said.get().equals("off")) {
            return Optional.empty();
        }
        Optional<Duration> every = fields.parsed("sweep", "off or a span of time such as 1h", Fields::span);
        if (every.isPresent() && every.get().compareTo(SHORTEST_SWEEP) < 0) {
            problems.add(fields.position("sweep"), "'sweep' must be at least 1m, or off");
        }
        return every;
    }

    private Optional<Process> process(Position position, String text) {
        if (!text.endsWith(".yaml") && !text.endsWith(".yml")) {
            Optional<Process> known = Processes.builtIn(text);
            if (known.isEmpty()) {
                problems.add(
                        position,
                        "there is no process '" + SafeText.line(text) + "'"
                                + Nearest.to(text, Processes.names())
                                        .map(near -> "; did you mean '" + near + "'?")
                                        .orElse("; there are " + String.join(", ", Processes.names())
                                                + ", or name a file that ends in .yaml"));
            }
            return known;
        }
        Path path;
        String content;
        try {
            path = Path.of(file).resolveSibling(text);
            content = Files.readString(path, StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            problems.add(position, "the process file " + SafeText.line(text) + " cannot be read");
            return Optional.empty();
        }
        return switch (ProcessFile.read(path.toString(), content)) {
            case Reading.Sound sound -> {
                Optional<String> objection = LedgerDesk.objection(sound.process());
                objection.ifPresent(why -> problems.add(position, why));
                yield objection.isEmpty() ? Optional.of(sound.process()) : Optional.empty();
            }
            case Reading.Unsound unsound -> {
                unsound.problems().forEach(problem -> problems.add(problem.position(), problem.message()));
                yield Optional.empty();
            }
        };
    }

    private Optional<Webhook> webhook(Node item) {
        if (item instanceof Node.Scalar scalar) {
            return url(scalar.position(), scalar.text()).map(Webhook::of);
        }
        Fields fields = Fields.of(item, problems);
        Optional<Webhook> guessed = fields.requiredString("url")
                .flatMap(text -> url(fields.position("url"), text))
                .map(Webhook::of);
        Optional<String> word = fields.string("kind");
        Optional<Webhook.Kind> kind = word.flatMap(Webhook.Kind::named);
        if (word.isPresent() && kind.isEmpty()) {
            problems.add(
                    fields.position("kind"),
                    "'" + SafeText.line(word.get()) + "' is no kind of webhook"
                            + Nearest.to(word.get(), KINDS)
                                    .map(near -> "; did you mean '" + near + "'?")
                                    .orElse(": use " + String.join(", ", KINDS)));
        }
        fields.done();
        return guessed.map(
                hook -> kind.map(said -> new Webhook(hook.url(), said)).orElse(hook));
    }

    private Optional<URI> url(Position position, String text) {
        return switch (KeptValue.read(text, environment)) {
            case Parsed.Invalid<String>(String problem) -> {
                problems.add(position, problem);
                yield Optional.empty();
            }
            case Parsed.Valid<String>(String value) -> {
                Optional<URI> url = address(value.strip());
                if (url.isEmpty()) {
                    // Not repeated: who knows it can write to the channel behind it.
                    problems.add(
                            position,
                            "a webhook is an address such as https://example.org/hook, env:NAME or file:PATH");
                }
                yield url;
            }
        };
    }

    private static Optional<URI> address(String text) {
        try {
            URI url = URI.create(text);
            return Webhook.trouble(url).isEmpty() ? Optional.of(url) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
