package dev.gavel.app.config;

import dev.gavel.cli.SecretValueResolver;
import dev.gavel.cli.credential.CredentialStore;
import dev.gavel.gateway.tool.DefinitionPin;
import dev.gavel.mcp.client.HttpServerTarget;
import dev.gavel.mcp.client.ServerIsolation;
import dev.gavel.mcp.client.ServerLaunchConfig;
import dev.gavel.mcp.client.ServerTarget;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.MemberId;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.identity.Identity;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.WordSuggester;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the MCP servers that the gateway connects to from the configuration's {@code bridges} section, and adds each as
 * a member of its topic. The file need not list a bridge among identities and participants: it then gets the default
 * capabilities, to respond and to notify. Not thread-safe.
 */
final class BridgeConfigReader {
    private static final CapabilitySet DEFAULT_CAPABILITIES = CapabilitySet.compile(
                    List.of("mcp.response.*", "mcp.request.notifications/*"))
            .orThrow();

    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");
    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9./_-]+");

    private final String file;
    private final List<Path> secretFiles;
    private final Function<String, @Nullable String> environment;
    private final ProblemCollector problemCollector;
    private final Map<String, ServerConfig.Bridge> bridges = new LinkedHashMap<>();
    private final Map<String, SourcePosition> positions = new LinkedHashMap<>();
    private final Map<String, SourcePosition> identityPositions = new LinkedHashMap<>();

    /**
     * Reads the bridges.
     *
     * @param secretFiles files with secrets, which sandboxes hide
     */
    BridgeConfigReader(
            YamlMappingReader root,
            String file,
            List<Path> secretFiles,
            Function<String, @Nullable String> environment,
            ProblemCollector problemCollector) {
        this.file = file;
        this.secretFiles = secretFiles;
        this.environment = environment;
        this.problemCollector = problemCollector;
        root.entries("identities")
                .forEach(entry ->
                        identityPositions.put(entry.key().text(), entry.key().position()));
        for (YamlNode.Entry entry : root.entries("bridges")) {
            String name = entry.key().text();
            if (MemberId.parse(name) instanceof ValueParseResult.Invalid<MemberId>(String problem)) {
                problemCollector.add(entry.key().position(), problem);
            }
            bridge(YamlMappingReader.of(entry.value(), problemCollector))
                    .ifPresent(bridge -> bridges.put(name, bridge));
            positions.put(name, entry.key().position());
        }
    }

    Map<String, ServerConfig.Bridge> bridges() {
        return bridges;
    }

    /** Adds the bridges that the file does not list as identities. */
    void addIdentities(Map<String, Identity> identities) {
        identities.values().stream()
                .filter(each -> each.token().isPresent() && positions.containsKey(each.id()))
                .forEach(each -> problemCollector.add(
                        identityPositions.getOrDefault(each.id(), new SourcePosition("", 1, 1)),
                        // A second connection of the same member would run every approved call twice.
                        "'" + each.id()
                                + "' is a bridge, and a bridge needs no token. Remove the token or the bridge."));
        bridges.keySet()
                .forEach(name ->
                        identities.putIfAbsent(name, new Identity(name, name, Set.of(), List.of(), Optional.empty())));
    }

    /** Returns the topics, with each bridge as a member of its topic. */
    Map<String, ServerConfig.Topic> addMembers(Map<String, ServerConfig.Topic> topics) {
        Map<String, ServerConfig.Topic> all = new LinkedHashMap<>(topics);
        bridges.forEach((name, bridge) -> {
            ServerConfig.Topic topic = all.get(bridge.topic());
            if (topic == null) {
                problemCollector.add(
                        positions.getOrDefault(name, new SourcePosition("", 1, 1)),
                        "the bridge '" + name + "' names the topic '" + bridge.topic()
                                + "', which is not listed under 'topics'"
                                + WordSuggester.suggest(bridge.topic(), topics.keySet())
                                        .map(near -> ". Did you mean '" + near + "'?")
                                        .orElse(""));
            } else {
                Map<String, CapabilitySet> members = new LinkedHashMap<>(topic.members());
                members.putIfAbsent(name, DEFAULT_CAPABILITIES);
                all.put(topic.name(), topic.withMembers(members));
            }
        });
        return all;
    }

    private Optional<ServerConfig.Bridge> bridge(YamlMappingReader yamlMappingReader) {
        Optional<String> topic = yamlMappingReader.requiredString("topic");
        List<String> command = yamlMappingReader.strings("command");
        boolean started = yamlMappingReader.node("command").isPresent();
        Optional<URI> url = address(yamlMappingReader);
        boolean reached = yamlMappingReader.node("url").isPresent();
        Map<String, String> env = values(yamlMappingReader, "env");
        Map<String, String> headers = values(yamlMappingReader, "headers");
        Optional<Path> cwd = directory(yamlMappingReader);
        Optional<ServerIsolation> isolation = isolation(yamlMappingReader);
        Optional<DefinitionPin> pin =
                yamlMappingReader.parse("pin", String.join(", ", DefinitionPin.names()), DefinitionPin::of);
        yamlMappingReader.reportUnknownKeys();
        if (started == reached) {
            problemCollector.add(
                    yamlMappingReader.position(),
                    started
                            ? "a bridge has either 'command' or 'url', not both"
                            : "a bridge needs 'command' (a program to start) or 'url' (the URL of an MCP server)");
        }
        reject(yamlMappingReader, "env", reached && !started && !env.isEmpty(), "command");
        reject(yamlMappingReader, "cwd", reached && !started && cwd.isPresent(), "command");
        for (String key : List.of("user", "sandbox", "readable", "writable")) {
            reject(
                    yamlMappingReader,
                    key,
                    reached && !started && yamlMappingReader.node(key).isPresent(),
                    "command");
        }
        reject(yamlMappingReader, "headers", started && !reached && !headers.isEmpty(), "url");
        boolean sound = true;
        for (Map.Entry<String, String> each : env.entrySet()) {
            if (!ServerLaunchConfig.isValidVariable(each.getKey(), each.getValue())) {
                sound = false;
                // The message does not repeat the value: it may be a secret.
                problemCollector.add(
                        yamlMappingReader.position("env"),
                        "the variable '" + SafeText.line(each.getKey())
                                + "' cannot be set: its name must not be empty or contain '=', and neither name"
                                + " nor value must contain a NUL character");
            }
        }
        headers.forEach((name, value) -> {
            if (!HttpServerTarget.isValidHeader(name, value)) {
                // The message does not repeat the value: it may be a secret.
                problemCollector.add(
                        yamlMappingReader.position("headers"), "'" + name + "' is not a valid HTTP header");
            }
        });
        if (started && (command.isEmpty() || command.getFirst().isBlank())) {
            problemCollector.add(
                    yamlMappingReader.position("command"), "'command' is empty: name a program and its arguments");
            return Optional.empty();
        }
        if (isCommandLine(yamlMappingReader)) {
            problemCollector.add(
                    yamlMappingReader.position("command"),
                    "'command' must be a list: write " + asList(command.getFirst()));
            return Optional.empty();
        }
        if (!sound || isolation.isEmpty()) {
            return Optional.empty();
        }
        Optional<ServerTarget> server = started
                ? Optional.of(new ServerLaunchConfig(command, env, cwd, isolation.get()))
                : url.map(address -> new HttpServerTarget(address, headers));
        return topic.isPresent()
                ? server.map(target -> new ServerConfig.Bridge(topic.get(), target, pin.orElse(DefinitionPin.WARN)))
                : Optional.empty();
    }

    /** Whether the command is one text with several words, and not the name of a program that contains spaces. */
    private static boolean isCommandLine(YamlMappingReader yamlMappingReader) {
        return yamlMappingReader
                .node("command")
                .filter(YamlNode.Scalar.class::isInstance)
                .map(node -> ((YamlNode.Scalar) node).text().strip())
                .filter(text -> WHITE_SPACE.matcher(text).find())
                .filter(text -> {
                    try {
                        return !Files.exists(Path.of(text));
                    } catch (InvalidPathException e) {
                        return true;
                    }
                })
                .isPresent();
    }

    private static String asList(String commandLine) {
        return WHITE_SPACE
                .splitAsStream(SafeText.line(commandLine).strip())
                .map(word -> PLAIN_WORD.matcher(word).matches() ? word : '"' + word.replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private Optional<URI> address(YamlMappingReader yamlMappingReader) {
        Optional<String> text = yamlMappingReader.string("url");
        Optional<URI> url = text.flatMap(HttpServerTarget::url);
        if (text.isPresent() && url.isEmpty()) {
            // The message does not repeat the URL: it may contain a password.
            problemCollector.add(
                    yamlMappingReader.position("url"),
                    "'url' must be the URL of an MCP server, such as https://example.org/mcp, without a user name");
        }
        return url;
    }

    private void reject(YamlMappingReader yamlMappingReader, String key, boolean present, String other) {
        if (present) {
            problemCollector.add(
                    yamlMappingReader.position(key), "'" + key + "' can only be used in a bridge with '" + other + "'");
        }
    }

    /** Returns the files and directories with secrets of Gavel, without the data directory. They need not exist. */
    private List<Path> hiddenPaths() {
        return Stream.of(
                        Stream.of(Path.of(file), ServerIsolation.SYSTEM_CONFIG),
                        secretFiles.stream(),
                        CredentialStore.of(environment).map(CredentialStore::directory).stream())
                .flatMap(each -> each)
                .toList();
    }

    /** Reads how the program is separated from the gateway; empty if there is a problem. */
    private Optional<ServerIsolation> isolation(YamlMappingReader yamlMappingReader) {
        Optional<String> user = yamlMappingReader.string("user");
        Optional<String> sandbox = yamlMappingReader.string("sandbox");
        Optional<List<Path>> readable = existingPaths(yamlMappingReader, "readable");
        Optional<List<Path>> writable = existingPaths(yamlMappingReader, "writable");
        boolean sound = true;
        if (user.isPresent() && !ServerIsolation.isUserName(user.get())) {
            problemCollector.add(
                    yamlMappingReader.position("user"), "'user' must be the name of a user account, such as tools");
            sound = false;
        }
        if (sandbox.isPresent() && !sandbox.get().equals(ServerIsolation.BUBBLEWRAP)) {
            problemCollector.add(
                    yamlMappingReader.position("sandbox"),
                    "'sandbox' must be " + ServerIsolation.BUBBLEWRAP + ", the program that creates the sandbox");
            sound = false;
        }
        if (sandbox.isEmpty()) {
            reject(
                    yamlMappingReader,
                    "readable",
                    yamlMappingReader.node("readable").isPresent(),
                    "sandbox");
            reject(
                    yamlMappingReader,
                    "writable",
                    yamlMappingReader.node("writable").isPresent(),
                    "sandbox");
        }
        if (sandbox.isPresent()) {
            for (String key : List.of("cwd", "readable", "writable")) {
                sound &= isShowable(yamlMappingReader, key);
            }
        }
        if (!sound || readable.isEmpty() || writable.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ServerIsolation(
                user,
                sandbox.isPresent(),
                readable.get(),
                writable.get(),
                sandbox.isPresent() ? hiddenPaths() : List.of()));
    }

    private boolean isShowable(YamlMappingReader yamlMappingReader, String key) {
        boolean sound = true;
        for (YamlNode.Scalar scalar : yamlMappingReader.scalars(key)) {
            Optional<String> problem = existingPath(scalar.text()).flatMap(ServerIsolation::pathProblem);
            if (problem.isPresent()) {
                sound = false;
                problemCollector.add(scalar.position(), "'" + key + "': " + SafeText.line(problem.get()));
            }
        }
        return sound;
    }

    private Optional<List<Path>> existingPaths(YamlMappingReader yamlMappingReader, String key) {
        List<Path> paths = new ArrayList<>();
        boolean sound = true;
        for (YamlNode.Scalar scalar : yamlMappingReader.scalars(key)) {
            Optional<Path> path = existingPath(scalar.text());
            path.ifPresent(paths::add);
            if (path.isEmpty()) {
                sound = false;
                problemCollector.add(
                        scalar.position(), "'" + key + "': " + SafeText.line(scalar.text()) + " does not exist");
            }
        }
        return sound ? Optional.of(paths) : Optional.empty();
    }

    private static Optional<Path> existingPath(String text) {
        try {
            return Optional.of(Path.of(text)).filter(Files::exists);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private Optional<Path> directory(YamlMappingReader yamlMappingReader) {
        return yamlMappingReader.parse("cwd", "a directory", text -> {
            try {
                return Optional.of(Path.of(text)).filter(Files::isDirectory);
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
        });
    }

    /** Reads names and values. A value may be a reference to an environment variable or a file. */
    private Map<String, String> values(YamlMappingReader yamlMappingReader, String key) {
        Map<String, String> values = new LinkedHashMap<>();
        for (YamlNode.Entry entry : yamlMappingReader.entries(key)) {
            String name = entry.key().text();
            if (!(entry.value() instanceof YamlNode.Scalar scalar)) {
                problemCollector.add(entry.value().position(), "'" + name + "' must be a single value");
                continue;
            }
            switch (SecretValueResolver.resolve(scalar.text(), environment)) {
                case ValueParseResult.Valid<String>(String value) -> values.put(name, value);
                case ValueParseResult.Invalid<String>(String problem) ->
                    problemCollector.add(scalar.position(), problem);
            }
        }
        return values;
    }
}
