package dev.gavel.app.config;

import dev.gavel.app.identity.Identity;
import dev.gavel.mcp.session.Endpoint;
import dev.gavel.mcp.session.Launch;
import dev.gavel.mcp.session.Target;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.MemberId;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Nearest;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads which MCP servers are bridged into which topics. A bridge need not be named among identities and participants: it is
 * what it must be then, a member that answers and notifies. Not thread-safe.
 */
final class BridgeFields {
    private static final Capabilities USUAL = Capabilities.compile(
                    List.of("mcp.response.*", "mcp.request.notifications/*"))
            .orThrow();

    private final Function<String, @Nullable String> environment;
    private final Problems problems;
    private final Map<String, Config.Bridge> bridges = new LinkedHashMap<>();
    private final Map<String, Position> positions = new LinkedHashMap<>();
    private final Map<String, Position> named = new LinkedHashMap<>();

    BridgeFields(Fields root, Function<String, @Nullable String> environment, Problems problems) {
        this.environment = environment;
        this.problems = problems;
        root.entries("identities")
                .forEach(entry -> named.put(entry.key().text(), entry.key().position()));
        for (Node.Entry entry : root.entries("bridges")) {
            String name = entry.key().text();
            if (MemberId.parse(name) instanceof Parsed.Invalid<MemberId>(String problem)) {
                problems.add(entry.key().position(), problem);
            }
            bridge(Fields.of(entry.value(), problems)).ifPresent(bridge -> bridges.put(name, bridge));
            positions.put(name, entry.key().position());
        }
    }

    Map<String, Config.Bridge> bridges() {
        return bridges;
    }

    /** Adds to the identities those that are only named as bridges. */
    void imply(Map<String, Identity> identities) {
        identities.values().stream()
                .filter(each -> each.token().isPresent() && positions.containsKey(each.id()))
                .forEach(each -> problems.add(
                        named.getOrDefault(each.id(), new Position("", 1, 1)),
                        // A second connection of the same member would run every approved call a second time.
                        "'" + each.id() + "' is bridged here and needs no token; take the token out, or the bridge"));
        bridges.keySet()
                .forEach(name ->
                        identities.putIfAbsent(name, new Identity(name, name, Set.of(), List.of(), Optional.empty())));
    }

    /** The topics, with every bridge a member of its own. */
    Map<String, Config.Topic> implied(Map<String, Config.Topic> topics) {
        Map<String, Config.Topic> all = new LinkedHashMap<>(topics);
        bridges.forEach((name, bridge) -> {
            Config.Topic topic = all.get(bridge.topic());
            if (topic == null) {
                problems.add(
                        positions.getOrDefault(name, new Position("", 1, 1)),
                        "the bridge '" + name + "' is for the topic '" + bridge.topic()
                                + "', which is not among 'topics'"
                                + Nearest.to(bridge.topic(), topics.keySet())
                                        .map(near -> "; did you mean '" + near + "'?")
                                        .orElse(""));
            } else {
                Map<String, Capabilities> members = new LinkedHashMap<>(topic.members());
                members.putIfAbsent(name, USUAL);
                all.put(topic.name(), new Config.Topic(topic.name(), members, topic.rules(), topic.ledger()));
            }
        });
        return all;
    }

    private Optional<Config.Bridge> bridge(Fields fields) {
        Optional<String> topic = fields.requiredString("topic");
        List<String> command = fields.strings("command");
        boolean started = fields.node("command").isPresent();
        Optional<URI> url = address(fields);
        boolean reached = fields.node("url").isPresent();
        Map<String, String> env = values(fields, "env");
        Map<String, String> headers = values(fields, "headers");
        Optional<Path> cwd = directory(fields);
        fields.done();
        if (started == reached) {
            problems.add(
                    fields.position(),
                    started
                            ? "a bridge has either 'command' or 'url', not both"
                            : "a bridge needs 'command', a program to start, or 'url', a server to reach");
        }
        reject(fields, "env", reached && !started && !env.isEmpty(), "command");
        reject(fields, "cwd", reached && !started && cwd.isPresent(), "command");
        reject(fields, "headers", started && !reached && !headers.isEmpty(), "url");
        boolean sound = true;
        for (Map.Entry<String, String> each : env.entrySet()) {
            if (!Launch.settable(each.getKey(), each.getValue())) {
                sound = false;
                // Its value is nobody's to see.
                problems.add(
                        fields.position("env"),
                        "the variable '" + SafeText.line(each.getKey())
                                + "' cannot be set: a name has no '=' and is not empty, and nothing has a NUL");
            }
        }
        headers.forEach((name, value) -> {
            if (!Endpoint.sendable(name, value)) {
                // Its value is nobody's to see.
                problems.add(fields.position("headers"), "the header '" + name + "' cannot be sent in HTTP");
            }
        });
        if (started && (command.isEmpty() || command.getFirst().isBlank())) {
            problems.add(fields.position("command"), "'command' is empty: name a program and its arguments");
            return Optional.empty();
        }
        if (!sound) {
            return Optional.empty();
        }
        Optional<Target> server = started
                ? Optional.of(new Launch(command, env, cwd))
                : url.map(address -> new Endpoint(address, headers));
        return topic.isPresent() ? server.map(target -> new Config.Bridge(topic.get(), target)) : Optional.empty();
    }

    private Optional<URI> address(Fields fields) {
        Optional<String> text = fields.string("url");
        Optional<URI> url = text.flatMap(Endpoint::url);
        if (text.isPresent() && url.isEmpty()) {
            // Not repeated: somebody may have put a password into it.
            problems.add(
                    fields.position("url"),
                    "'url' must be the address of an MCP server, such as https://example.org/mcp, without a user in it");
        }
        return url;
    }

    private void reject(Fields fields, String key, boolean given, String other) {
        if (given) {
            problems.add(fields.position(key), "'" + key + "' is for a bridge with '" + other + "'");
        }
    }

    private Optional<Path> directory(Fields fields) {
        return fields.parsed("cwd", "a directory", text -> {
            try {
                return Optional.of(Path.of(text)).filter(Files::isDirectory);
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
        });
    }

    /** Names and values, each of which may say where it is kept instead. */
    private Map<String, String> values(Fields fields, String key) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Node.Entry entry : fields.entries(key)) {
            String name = entry.key().text();
            if (!(entry.value() instanceof Node.Scalar scalar)) {
                problems.add(entry.value().position(), "'" + name + "' must be a single value");
                continue;
            }
            switch (KeptValue.read(scalar.text(), environment)) {
                case Parsed.Valid<String>(String value) -> values.put(name, value);
                case Parsed.Invalid<String>(String problem) -> problems.add(scalar.position(), problem);
            }
        }
        return values;
    }
}
