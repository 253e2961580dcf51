package dev.gavel.app.config;

import dev.gavel.client.http.ListenAddress;
import dev.gavel.client.http.LocalServerDefaults;
import dev.gavel.gateway.call.CallRecorder.AuditMode;
import dev.gavel.gateway.proposal.ProposalLimits;
import dev.gavel.gateway.proposal.ProposalLimits.AskLimit;
import dev.gavel.gateway.proposal.ProposalLimits.ByteQuota;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.MemberId;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.sep.notification.Contact;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.web.http.ConnectionLimits;
import dev.gavel.web.http.ConsoleHost;
import dev.gavel.web.http.ProxyAddresses;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.WordSuggester;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import dev.gavel.yaml.YamlReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the whole configuration file and reports every mistake with its line. If there are problems, the returned
 * configuration must not be used to start a server.
 */
public final class ConfigFileReader {
    /** The minimum retention: a shorter one could delete a proposal while a participant still reads its outcome. */
    private static final Duration MIN_RETENTION = Duration.ofHours(1);

    /** The format that {@link #parseDrain} accepts. */
    public static final String EXPECTED_DRAIN = "a duration such as 5s, at most 10m";

    private static final Duration MAX_DRAIN = Duration.ofMinutes(10);
    private static final int MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

    private final Function<String, @Nullable String> environment;
    private final ProposalLimitsReader proposalLimitsReader;
    private final Map<String, AskLimit> askLimits = new LinkedHashMap<>();
    private final ProblemCollector problemCollector;
    private final ProblemCollector warnings;
    private final Map<String, PendingCallSettings> pendingCallSettings = new LinkedHashMap<>();
    private final Map<Person, Contact> contacts = new LinkedHashMap<>();

    public ConfigFileReader(Function<String, @Nullable String> environment, ProblemCollector problemCollector) {
        this(environment, problemCollector, new ProblemCollector());
    }

    /**
     * Creates a reader that also reports probable mistakes with which a server starts nevertheless.
     *
     * @param warnings stays empty if there are problems
     */
    public ConfigFileReader(
            Function<String, @Nullable String> environment,
            ProblemCollector problemCollector,
            ProblemCollector warnings) {
        this.environment = environment;
        this.problemCollector = problemCollector;
        this.warnings = warnings;
        this.proposalLimitsReader = new ProposalLimitsReader(problemCollector);
    }

    /**
     * Returns the data directory that the file configures. Other sections of the file are ignored, because the secrets
     * that they refer to may not be available.
     */
    public static Path dataDirectory(String file, String text, ProblemCollector problemCollector) {
        return path(YamlMappingReader.of(root(file, text, problemCollector), problemCollector), "data")
                .orElse(DefaultServerConfig.DATA);
    }

    /** Returns the process of the SEPs that the file configures. Other settings of the file are ignored. */
    public static ProcessDefinition sepProcess(String file, String text, ProblemCollector problemCollector) {
        return YamlMappingReader.of(root(file, text, problemCollector), problemCollector)
                .mapping("sep")
                .map(sep -> SepConfigReader.process(sep, file, problemCollector))
                .orElseGet(BuiltInProcesses::defaultProcess);
    }

    private static YamlNode root(String file, String text, ProblemCollector problemCollector) {
        return YamlReader.read(file, text, problemCollector)
                .orElseGet(() -> new YamlNode.Scalar(new SourcePosition(file, 1, 1), "", false));
    }

    /**
     * Reads the text of a configuration file. Of the files that it names, only token files and the process file are
     * opened.
     */
    public ServerConfig read(String file, String text) {
        YamlNode root = root(file, text, problemCollector);
        YamlMappingReader yamlMappingReader = YamlMappingReader.of(root, problemCollector);
        SepConfigReader sep = new SepConfigReader(yamlMappingReader, file, environment, problemCollector);
        Map<String, Identity> identities =
                identities(yamlMappingReader, sep.sep().rolesAndAdmin());
        BridgeConfigReader bridges = new BridgeConfigReader(
                yamlMappingReader, file, SecretFileFinder.find(root), environment, problemCollector);
        bridges.addIdentities(identities);
        sep.addIdentity(identities);
        new IdentityNameValidator(yamlMappingReader, identities, problemCollector, warnings).validate();
        LedgerAndBusConfigReader shared = new LedgerAndBusConfigReader(environment, problemCollector);
        ServerConfig config = new ServerConfig(
                yamlMappingReader
                        .parse("listen", ListenAddress.EXPECTED, ListenAddress::parse)
                        .orElse(ListenAddress.DEFAULT),
                path(yamlMappingReader, "data").orElse(DefaultServerConfig.DATA),
                yamlMappingReader
                        .mapping("limits")
                        .map(this::limits)
                        .orElseGet(() -> ServerConfig.Limits.DEFAULT.withAskLimits(askLimits)),
                retention(yamlMappingReader),
                yamlMappingReader.mapping("tls").flatMap(this::tls),
                publicUrl(yamlMappingReader),
                ObservabilityConfigReader.read(yamlMappingReader, problemCollector),
                identities,
                IssuerConfigReader.read(yamlMappingReader, problemCollector),
                pendingCallSettings,
                bridges.addMembers(sep.addMember(topics(yamlMappingReader, identities), identities)),
                bridges.bridges(),
                sep.sep().withContacts(contacts),
                shared.ledger(yamlMappingReader),
                shared.bus(yamlMappingReader),
                yamlMappingReader
                        .parse("drain", EXPECTED_DRAIN, ConfigFileReader::parseDrain)
                        .orElse(Duration.ZERO),
                AuditConfigReader.read(yamlMappingReader, problemCollector));
        yamlMappingReader.reportUnknownKeys();
        if (problemCollector.isEmpty() && config.topics().isEmpty()) {
            problemCollector.add(yamlMappingReader.position(), "no topics: add at least one under 'topics'");
        }
        if (problemCollector.isEmpty()) {
            config.sharingProblem()
                    .ifPresent(objection -> problemCollector.add(yamlMappingReader.position("bus"), objection));
        }
        if (problemCollector.isEmpty()) {
            new ConfigWarningFinder(yamlMappingReader, environment, warnings).collect(config);
        }
        return config;
    }

    /** Parses the time for which a stopping process continues to serve. */
    public static Optional<Duration> parseDrain(String text) {
        return YamlMappingReader.parseDuration(text).filter(time -> time.compareTo(MAX_DRAIN) <= 0);
    }

    private Optional<Duration> retention(YamlMappingReader yamlMappingReader) {
        if (yamlMappingReader.string("retention").filter("never"::equals).isPresent()) {
            return Optional.empty();
        }
        Optional<Duration> retention = yamlMappingReader.parse(
                "retention", "never or a duration such as 90d", YamlMappingReader::parseDuration);
        if (retention.isPresent() && retention.get().compareTo(MIN_RETENTION) < 0) {
            problemCollector.add(yamlMappingReader.position("retention"), "'retention' must be at least 1h");
        }
        return retention;
    }

    private ServerConfig.Limits limits(YamlMappingReader yamlMappingReader) {
        int frame = yamlMappingReader
                .parse("frame", SizeAndRateParser.EXPECTED_SIZE, SizeAndRateParser::parseSize)
                .orElse(ServerConfig.Limits.DEFAULT.frame());
        ServerConfig.Limits limits = new ServerConfig.Limits(
                frame,
                yamlMappingReader
                        .parse("answer", SizeAndRateParser.EXPECTED_SIZE, SizeAndRateParser::parseSize)
                        .orElse(Math.max(frame, ServerConfig.Limits.DEFAULT.answer())),
                yamlMappingReader
                        .parse("rate", SizeAndRateParser.EXPECTED_RATE, SizeAndRateParser::parseRate)
                        .orElse(ServerConfig.Limits.DEFAULT.rate()),
                yamlMappingReader.integer("connections").orElse(ServerConfig.Limits.DEFAULT.connections()),
                yamlMappingReader.integer("open").orElse(ServerConfig.Limits.DEFAULT.open()),
                yamlMappingReader
                        .parse("reserve", SizeAndRateParser.EXPECTED_QUOTA, SizeAndRateParser::parseQuota)
                        .map(bytes -> bytes == Long.MAX_VALUE ? 0 : bytes)
                        .orElse(ServerConfig.Limits.DEFAULT.reserve()),
                new ProposalLimits(
                        proposalLimitsReader
                                .ask(yamlMappingReader, AskLimit.DEFAULT)
                                .orElse(AskLimit.DEFAULT),
                        askLimits,
                        proposalLimitsReader.bytes(yamlMappingReader).orElse(ByteQuota.DEFAULT)),
                connectionLimits(yamlMappingReader));
        if (limits.frame() < 1024 || limits.frame() > MAX_MESSAGE_BYTES) {
            problemCollector.add(yamlMappingReader.position("frame"), "'frame' must be between 1KiB and 64MiB");
        }
        if (limits.answer() < limits.frame() || limits.answer() > MAX_MESSAGE_BYTES) {
            problemCollector.add(
                    yamlMappingReader.position("answer"), "'answer' must be between the value of 'frame' and 64MiB");
        }
        if (limits.connections() < 1) {
            problemCollector.add(yamlMappingReader.position("connections"), "'connections' must be at least 1");
        }
        if (limits.open() < 1) {
            problemCollector.add(yamlMappingReader.position("open"), "'open' must be at least 1");
        }
        yamlMappingReader.reportUnknownKeys();
        return limits;
    }

    private ConnectionLimits connectionLimits(YamlMappingReader yamlMappingReader) {
        ConnectionLimits limits = new ConnectionLimits(
                yamlMappingReader.integer("unauthenticated").orElse(ConnectionLimits.DEFAULT.unauthenticated()),
                yamlMappingReader
                        .integer("unauthenticatedPerAddress")
                        .orElse(ConnectionLimits.DEFAULT.unauthenticatedPerAddress()),
                yamlMappingReader.integer("connectionsPerIdentity").orElse(ConnectionLimits.DEFAULT.perIdentity()),
                yamlMappingReader.strings("proxies"));
        if (limits.unauthenticated() < 1) {
            problemCollector.add(yamlMappingReader.position("unauthenticated"), "'unauthenticated' must be at least 1");
        }
        if (limits.unauthenticatedPerAddress() < 1) {
            problemCollector.add(
                    yamlMappingReader.position("unauthenticatedPerAddress"),
                    "'unauthenticatedPerAddress' must be at least 1");
        }
        if (limits.perIdentity() < 1) {
            problemCollector.add(
                    yamlMappingReader.position("connectionsPerIdentity"),
                    "'connectionsPerIdentity' must be at least 1");
        }
        for (String proxy : limits.proxies()) {
            if (!ProxyAddresses.isValid(proxy)) {
                problemCollector.add(
                        yamlMappingReader.position("proxies"),
                        "'proxies' must list IP addresses and networks such as 10.0.0.0/8, not '" + proxy + "'");
            }
        }
        return limits;
    }

    private Optional<WebConfig.Tls> tls(YamlMappingReader yamlMappingReader) {
        yamlMappingReader.requiredNode("certificate");
        yamlMappingReader.requiredNode("key");
        Optional<Path> certificate = path(yamlMappingReader, "certificate");
        Optional<Path> key = path(yamlMappingReader, "key");
        yamlMappingReader.reportUnknownKeys();
        if (certificate.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        requireReadable(yamlMappingReader, "certificate", certificate.get());
        requireReadable(yamlMappingReader, "key", key.get());
        return Optional.of(new WebConfig.Tls(certificate.get(), key.get()));
    }

    private static Optional<Path> path(YamlMappingReader yamlMappingReader, String key) {
        return yamlMappingReader.parse(key, "a path", text -> {
            try {
                return Optional.of(Path.of(text));
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
        });
    }

    private void requireReadable(YamlMappingReader yamlMappingReader, String key, Path file) {
        if (!Files.isReadable(file)) {
            problemCollector.add(yamlMappingReader.position(key), "cannot read the file " + file);
        }
    }

    private Map<String, Identity> identities(YamlMappingReader yamlMappingReader, List<String> roles) {
        Map<String, Identity> identities = new LinkedHashMap<>();
        Map<TokenHash, String> owners = new LinkedHashMap<>();
        for (YamlNode.Entry entry : yamlMappingReader.entries("identities")) {
            String id = entry.key().text();
            SourcePosition position = entry.key().position();
            if (MemberId.parse(id) instanceof ValueParseResult.Invalid<MemberId>(String problem)) {
                problemCollector.add(position, problem);
            }
            Identity identity = identity(id, YamlMappingReader.of(entry.value(), problemCollector), roles);
            identity.token()
                    .map(token -> owners.putIfAbsent(token, id))
                    .ifPresent(other ->
                            problemCollector.add(position, "'" + id + "' has the same token as '" + other + "'"));
            identities.put(id, identity);
        }
        return identities;
    }

    private Identity identity(String id, YamlMappingReader yamlMappingReader, List<String> known) {
        List<String> roles = yamlMappingReader.strings("roles");
        for (String role : roles) {
            if (!known.contains(role)) {
                problemCollector.add(
                        yamlMappingReader.position("roles"),
                        "unknown role '" + role + "'"
                                + WordSuggester.suggest(role, known)
                                        .map(near -> ". Did you mean '" + near + "'?")
                                        .orElse(". Use " + String.join(", ", known) + "."));
            }
        }
        Identity identity = new Identity(
                id,
                yamlMappingReader
                        .string("name")
                        .orElse(id.equals(LocalServerDefaults.OWNER) ? LocalServerDefaults.OWNER_NAME : id),
                Set.copyOf(roles),
                yamlMappingReader.strings("handles"),
                yamlMappingReader
                        .string("token")
                        .flatMap(token -> token(yamlMappingReader.position("token"), token, id)));
        proposalLimitsReader
                .ask(yamlMappingReader, AskLimit.DEFAULT)
                .ifPresent(askLimit -> askLimits.put(id, askLimit));
        PendingCallConfigReader.read(yamlMappingReader, problemCollector)
                .ifPresent(settings -> pendingCallSettings.put(id, settings));
        ContactConfigReader.readContact(yamlMappingReader).ifPresent(contact -> contacts.put(new Person(id), contact));
        yamlMappingReader.reportUnknownKeys();
        return identity;
    }

    private Optional<TokenHash> token(SourcePosition position, String text, String owner) {
        return switch (TokenSource.parse(text).resolve(environment, owner)) {
            case TokenSource.Found(TokenHash hash) -> Optional.of(hash);
            case TokenSource.Unresolved(String reason) -> {
                problemCollector.add(position, reason);
                yield Optional.empty();
            }
        };
    }

    private Map<String, ServerConfig.Topic> topics(
            YamlMappingReader yamlMappingReader, Map<String, Identity> identities) {
        Map<String, ServerConfig.Topic> topics = new LinkedHashMap<>();
        for (YamlNode.Entry entry : yamlMappingReader.entries("topics")) {
            String name = entry.key().text();
            if (TopicName.parse(name) instanceof ValueParseResult.Invalid<TopicName>(String problem)) {
                problemCollector.add(entry.key().position(), problem);
            }
            topics.put(name, topic(name, YamlMappingReader.of(entry.value(), problemCollector), identities));
        }
        return topics;
    }

    private ServerConfig.Topic topic(
            String name, YamlMappingReader yamlMappingReader, Map<String, Identity> identities) {
        ProposalSettings rules = ProposalSettingsReader.read(yamlMappingReader, problemCollector);
        boolean ledger = yamlMappingReader.bool("ledger").orElse(true);
        Optional<AuditMode> auditMode = AuditConfigReader.mode(yamlMappingReader, "audit");
        if (auditMode.isPresent() && !ledger) {
            problemCollector.add(
                    yamlMappingReader.position("audit"),
                    "'audit' has no effect with 'ledger: off'; remove one of the two");
        }
        Map<String, CapabilitySet> members = new LinkedHashMap<>();
        for (YamlNode.Entry entry : yamlMappingReader.entries("participants")) {
            String id = entry.key().text();
            if (!identities.containsKey(id)) {
                problemCollector.add(
                        entry.key().position(),
                        "'" + id + "' is not listed under 'identities'"
                                + WordSuggester.suggest(id, identities.keySet())
                                        .map(near -> ". Did you mean '" + near + "'?")
                                        .orElse(""));
            }
            members.put(id, CapabilityConfigReader.read(entry.value(), problemCollector, warnings));
        }
        boolean joinsRepeatedCalls =
                PendingCallConfigReader.joinsRepeatedCalls(yamlMappingReader).orElse(true);
        yamlMappingReader.reportUnknownKeys();
        return new ServerConfig.Topic(name, members, rules, ledger, auditMode, joinsRepeatedCalls);
    }

    private Optional<URI> publicUrl(YamlMappingReader yamlMappingReader) {
        return yamlMappingReader.string("publicUrl").flatMap(text -> switch (parsePublicUrl(text)) {
            case ValueParseResult.Valid<URI>(URI url) -> Optional.of(url);
            case ValueParseResult.Invalid<URI>(String problem) -> {
                problemCollector.add(yamlMappingReader.position("publicUrl"), "'publicUrl' " + problem);
                yield Optional.empty();
            }
        });
    }

    /** Parses the URL that browsers use. The problem continues a sentence that begins with the setting's name. */
    public static ValueParseResult<URI> parsePublicUrl(String text) {
        try {
            URI url = URI.create(text);
            boolean web = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
            if (web && url.getHost() != null) {
                return ConsoleHost.publicUrlProblem(url)
                        .<ValueParseResult<URI>>map(ValueParseResult.Invalid::new)
                        .orElseGet(() -> new ValueParseResult.Valid<>(url));
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        return new ValueParseResult.Invalid<>("must be a URL such as https://gavel.example.org, not '" + text + "'");
    }
}
