package dev.gavel.app.config;

import dev.gavel.app.edge.WebConfig;
import dev.gavel.app.identity.Identity;
import dev.gavel.app.identity.TokenHash;
import dev.gavel.gateway.proposal.ProposalRules;
import dev.gavel.mcp.facade.port.Settings;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.MemberId;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.TopicName;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Nearest;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
import dev.gavel.yaml.Yaml;
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
 * Reads the configuration file. Every mistake becomes a problem with its line; what is returned beside problems is not
 * fit to start with.
 */
public final class ConfigReader {
    /** Less would let a proposal be forgotten while somebody still reads how it ended. */
    private static final Duration SHORTEST_RETENTION = Duration.ofHours(1);

    /** What {@link #drain} takes. */
    public static final String DRAIN = "a span of time such as 5s, at most 10m";

    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(10);

    private final Function<String, @Nullable String> environment;
    private final Problems problems;
    private final Map<String, Settings> waiting = new LinkedHashMap<>();

    public ConfigReader(Function<String, @Nullable String> environment, Problems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    /** Reads a file's text; of the files it names only those of tokens and of the process are opened. */
    public Config read(String file, String text) {
        Node root =
                Yaml.read(file, text, problems).orElseGet(() -> new Node.Scalar(new Position(file, 1, 1), "", false));
        Fields fields = Fields.of(root, problems);
        SepFields sep = new SepFields(fields, file, environment, problems);
        Map<String, Identity> identities = identities(fields, sep.sep().rolesAndAdmin());
        BridgeFields bridges = new BridgeFields(fields, environment, problems);
        bridges.imply(identities);
        sep.imply(identities);
        SharedFields shared = new SharedFields(environment, problems);
        Config config = new Config(
                fields.parsed("listen", Listen.EXPECTED, Listen::parse).orElse(Listen.DEFAULT),
                path(fields, "data").orElse(Defaults.DATA),
                fields.fields("limits").map(this::limits).orElse(Config.Limits.DEFAULT),
                retention(fields),
                fields.fields("tls").flatMap(this::tls),
                fields.parsed("publicUrl", "a URL such as https://gavel.example.org", ConfigReader::webAddress),
                ObservingFields.read(fields, problems),
                identities,
                waiting,
                bridges.implied(sep.implied(topics(fields, identities), identities)),
                bridges.bridges(),
                sep.sep(),
                shared.ledger(fields),
                shared.bus(fields),
                fields.parsed("drain", DRAIN, ConfigReader::drain).orElse(Duration.ZERO));
        fields.done();
        if (problems.none() && config.topics().isEmpty()) {
            problems.add(fields.position(), "no topic: name at least one under 'topics'");
        }
        if (problems.none()) {
            config.objection().ifPresent(objection -> problems.add(fields.position("bus"), objection));
        }
        return config;
    }

    /** How long a process goes on as before that is told to stop. */
    public static Optional<Duration> drain(String text) {
        return Fields.span(text).filter(time -> time.compareTo(LONGEST_DRAIN) <= 0);
    }

    private Optional<Duration> retention(Fields fields) {
        if (fields.string("retention").filter("never"::equals).isPresent()) {
            return Optional.empty();
        }
        Optional<Duration> retention = fields.parsed("retention", "never or a span of time such as 90d", Fields::span);
        if (retention.isPresent() && retention.get().compareTo(SHORTEST_RETENTION) < 0) {
            problems.add(fields.position("retention"), "'retention' must be at least 1h");
        }
        return retention;
    }

    private Config.Limits limits(Fields fields) {
        Config.Limits limits = new Config.Limits(
                fields.parsed("frame", Units.SIZE, Units::size).orElse(Config.Limits.DEFAULT.frame()),
                fields.parsed("rate", Units.RATE, Units::rate).orElse(Config.Limits.DEFAULT.rate()),
                fields.integer("connections").orElse(Config.Limits.DEFAULT.connections()),
                fields.integer("open").orElse(Config.Limits.DEFAULT.open()));
        if (limits.frame() < 1024 || limits.frame() > 64 * 1024 * 1024) {
            problems.add(fields.position("frame"), "'frame' must be between 1KiB and 64MiB");
        }
        if (limits.connections() < 1) {
            problems.add(fields.position("connections"), "'connections' must be at least 1");
        }
        if (limits.open() < 1) {
            problems.add(fields.position("open"), "'open' must be at least 1");
        }
        fields.done();
        return limits;
    }

    private Optional<WebConfig.Tls> tls(Fields fields) {
        fields.required("certificate");
        fields.required("key");
        Optional<Path> certificate = path(fields, "certificate");
        Optional<Path> key = path(fields, "key");
        fields.done();
        if (certificate.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        readable(fields, "certificate", certificate.get());
        readable(fields, "key", key.get());
        return Optional.of(new WebConfig.Tls(certificate.get(), key.get()));
    }

    private static Optional<Path> path(Fields fields, String key) {
        return fields.parsed(key, "a path", text -> {
            try {
                return Optional.of(Path.of(text));
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
        });
    }

    private void readable(Fields fields, String key, Path file) {
        if (!Files.isReadable(file)) {
            problems.add(fields.position(key), "the file " + file + " cannot be read");
        }
    }

    private Map<String, Identity> identities(Fields fields, List<String> roles) {
        Map<String, Identity> identities = new LinkedHashMap<>();
        Map<TokenHash, String> owners = new LinkedHashMap<>();
        for (Node.Entry entry : fields.entries("identities")) {
            String id = entry.key().text();
            Position position = entry.key().position();
            if (MemberId.parse(id) instanceof Parsed.Invalid<MemberId>(String problem)) {
                problems.add(position, problem);
            }
            Identity identity = identity(id, Fields.of(entry.value(), problems), roles);
            identity.token()
                    .map(token -> owners.putIfAbsent(token, id))
                    .ifPresent(other -> problems.add(position, "'" + id + "' has the same token as '" + other + "'"));
            identities.put(id, identity);
        }
        return identities;
    }

    private Identity identity(String id, Fields fields, List<String> known) {
        List<String> roles = fields.strings("roles");
        for (String role : roles) {
            if (!known.contains(role)) {
                problems.add(
                        fields.position("roles"),
                        "unknown role '" + role + "'"
                                + Nearest.to(role, known)
                                        .map(near -> "; did you mean '" + near + "'?")
                                        .orElse("; there are " + String.join(", ", known)));
            }
        }
        Identity identity = new Identity(
                id,
                fields.string("name").orElse(id),
                Set.copyOf(roles),
                fields.strings("handles"),
                fields.string("token").flatMap(token -> token(fields.position("token"), token)));
        WaitingFields.read(fields, problems).ifPresent(settings -> waiting.put(id, settings));
        fields.done();
        return identity;
    }

    private Optional<TokenHash> token(Position position, String text) {
        return switch (TokenSource.parse(text).resolve(environment)) {
            case TokenSource.Found(TokenHash hash) -> Optional.of(hash);
            case TokenSource.Unresolved(String reason) -> {
                problems.add(position, reason);
                yield Optional.empty();
            }
        };
    }

    private Map<String, Config.Topic> topics(Fields fields, Map<String, Identity> identities) {
        Map<String, Config.Topic> topics = new LinkedHashMap<>();
        for (Node.Entry entry : fields.entries("topics")) {
            String name = entry.key().text();
            if (TopicName.parse(name) instanceof Parsed.Invalid<TopicName>(String problem)) {
                problems.add(entry.key().position(), problem);
            }
            topics.put(name, topic(name, Fields.of(entry.value(), problems), identities));
        }
        return topics;
    }

    private Config.Topic topic(String name, Fields fields, Map<String, Identity> identities) {
        ProposalRules rules = RuleFields.read(fields, problems);
        boolean ledger = fields.bool("ledger").orElse(true);
        Map<String, Capabilities> members = new LinkedHashMap<>();
        for (Node.Entry entry : fields.entries("participants")) {
            String id = entry.key().text();
            if (!identities.containsKey(id)) {
                problems.add(
                        entry.key().position(),
                        "'" + id + "' is not among the identities"
                                + Nearest.to(id, identities.keySet())
                                        .map(near -> "; did you mean '" + near + "'?")
                                        .orElse(""));
            }
            members.put(id, CapabilityNodes.read(entry.value(), problems));
        }
        fields.done();
        return new Config.Topic(name, members, rules, ledger);
    }

    private static Optional<URI> webAddress(String text) {
        try {
            URI uri = URI.create(text);
            boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            return web && uri.getHost() != null ? Optional.of(uri) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
