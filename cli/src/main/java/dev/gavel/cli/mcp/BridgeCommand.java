package dev.gavel.cli.mcp;

import dev.gavel.cli.ClientOptions;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.GavelRootCommand;
import dev.gavel.cli.ProcessMemoryProtection;
import dev.gavel.cli.SecretValueResolver;
import dev.gavel.cli.ShutdownAction;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.cli.build.BuildInfo;
import dev.gavel.cli.log.LogLevel;
import dev.gavel.cli.log.LogOutputFormat;
import dev.gavel.cli.log.LogbackConfigurator;
import dev.gavel.client.Gavel;
import dev.gavel.client.Token;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemoteGatewayException.Unreachable;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.BridgeStatus;
import dev.gavel.mcp.bridge.RemoteTopicConnector;
import dev.gavel.mcp.bridge.RestartPolicy;
import dev.gavel.mcp.client.HttpServerTarget;
import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.client.ServerLaunchConfig;
import dev.gavel.mcp.client.ServerTarget;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.MemberId;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code gavel bridge} command: connects an MCP server to a topic of a remote gateway. */
@Command(
        name = "bridge",
        description = "Connect an MCP server to a topic.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel bridge --topic main --name files -- \\",
            "      npx -y @modelcontextprotocol/server-filesystem ./data",
            "  gavel bridge --topic main --name search --url https://example.org/mcp \\",
            "      --header Authorization=env:SEARCH_AUTH",
            "",
            "The token must belong to the member that --name sets. This member needs the",
            "capabilities mcp.response.* and mcp.request.notifications/* in the topic. The",
            "program gets only the variables PATH, HOME, USER and LANG, and those that you",
            "set with --env. The bridge ends when the program ends. If you want the Gavel",
            "server to start and restart the program, use 'bridges:' in gavel.yaml instead.",
            "",
            "By default, the program can read all files that you can read, including your",
            "tokens. To prevent this, use --user or --sandbox. If the isolation that you",
            "choose is not possible, the program does not start.",
        })
public final class BridgeCommand implements Callable<Integer> {
    private static final int MAX_MAX_ANSWER_MEBIBYTES = 64;

    @Option(names = "--topic", paramLabel = "TOPIC", required = true, description = "The topic's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            required = true,
            description = "The MCP server's name as a member of the topic.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The URL of an MCP server, instead of a program to start.")
    private @Nullable String url;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "A header for every request to --url. VALUE can be env:NAME or file:PATH.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "An environment variable for the program. VALUE can be env:NAME or file:PATH.")
    private List<String> env = new ArrayList<>();

    @Option(
            names = "--max-answer",
            paramLabel = "MIB",
            description = "The maximum size of a message of the MCP server, in MiB: 1 to 64. Default: 16.")
    private int maxAnswerMebibytes = 16;

    @Option(names = "--cwd", paramLabel = "DIR", description = "The program's working directory.")
    private @Nullable Path cwd;

    @Mixin
    private final BridgeIsolationOptions isolationOptions = new BridgeIsolationOptions();

    @Option(
            names = "--gateway",
            paramLabel = "URL",
            description = "The Gavel server's URL (or GAVEL_URL). Default: http://127.0.0.1:4285.")
    private @Nullable String gateway;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The bridge's token, as env:NAME or file:PATH (or GAVEL_TOKEN).")
    private @Nullable String token;

    @Option(names = "--json", description = "Print JSON only.")
    private boolean json;

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "The program to start, and its arguments, after '--'.")
    private List<String> command = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        GavelRootCommand root = (GavelRootCommand) spec.root().userObject();
        CommandEnvironment environment = root.environment();
        ClientOptions options = ClientOptions.of(gateway, token, json).orElse(root.options());
        PrintWriter err = spec.commandLine().getErr();
        requireValid(TopicName.parse(topic));
        requireValid(MemberId.parse(name));
        EnvelopeLimits limits = limits();
        ServerTarget target = target(options, environment);
        GatewayEndpoint gatewayEndpoint = options.endpoint(environment, TokenSourcePolicy.NAMED, err::println)
                .gateway();
        String secret = gatewayEndpoint
                .token()
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE,
                        "the bridge needs a token of '" + name + "'. Set it " + ClientOptions.TOKEN_HINT
                                + ". An admin can create one with: "
                                + RemoteTopicConnector.createTokenCommand(name, topic)));
        LogbackConfigurator.reconfigure(LogOutputFormat.TEXT, LogLevel.INFO);
        if (environment.ownsProcess()) {
            // The bridged program must not read the token in this process's environment.
            ProcessMemoryProtection.start().join();
        }
        verifyTokenOwner(gatewayEndpoint);
        Bridge bridge = new Bridge(
                name,
                topic,
                () -> target.newTransport(name, limits.answerBytes()),
                new RemoteTopicConnector(
                        () -> Gavel.at(
                                        gatewayEndpoint.url().toString(),
                                        gatewayEndpoint.otherUrls().stream()
                                                .map(URI::toString)
                                                .toArray(String[]::new))
                                .token(Token.of(secret))
                                .topic(topic),
                        name),
                new McpClientSession.ClientInfo("gavel", BuildInfo.version()),
                limits,
                target instanceof ServerLaunchConfig ? RestartPolicy.NEVER : RestartPolicy.DEFAULT);
        bridge.onUp(status -> announce(status, options.json()));
        return run(bridge, environment);
    }

    private int run(Bridge bridge, CommandEnvironment environment) throws InterruptedException {
        try (ShutdownAction _ = new ShutdownAction(() -> {
            bridge.close();
            if (environment.ownsProcess()) {
                Runtime.getRuntime().halt(ExitCode.SUCCESS);
            }
        })) {
            bridge.start();
            String failure = bridge.completion().get();
            if (failure.isEmpty()) {
                return ExitCode.SUCCESS;
            }
            throw new CommandException(ExitCode.FAILURE, "the bridge '" + name + "' ended: " + SafeText.line(failure));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            bridge.close();
        }
    }

    private EnvelopeLimits limits() {
        if (maxAnswerMebibytes < 1 || maxAnswerMebibytes > MAX_MAX_ANSWER_MEBIBYTES) {
            throw new CommandException(ExitCode.USAGE, "--max-answer must be a number from 1 to 64");
        }
        EnvelopeLimits defaults = EnvelopeLimits.DEFAULT;
        return defaults.withBytes(defaults.bytes(), maxAnswerMebibytes * 1024 * 1024);
    }

    private static void requireValid(ValueParseResult<?> parseResult) {
        if (parseResult instanceof ValueParseResult.Invalid<?>(String problem)) {
            throw new CommandException(ExitCode.USAGE, SafeText.line(problem));
        }
    }

    private ServerTarget target(ClientOptions options, CommandEnvironment environment) {
        if (command.isEmpty() == (url == null)) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "specify either a program to start (after --) or the URL of an MCP server (with --url)");
        }
        if (url == null) {
            if (!headers.isEmpty()) {
                throw new CommandException(ExitCode.USAGE, "--header can only be used with --url");
            }
            if (cwd != null && !Files.isDirectory(cwd)) {
                throw new CommandException(ExitCode.USAGE, "--cwd: the directory " + cwd + " does not exist");
            }
            Map<String, String> variables = values("--env", env, environment);
            variables.forEach((key, value) -> {
                if (!ServerLaunchConfig.isValidVariable(key, value)) {
                    throw new CommandException(
                            ExitCode.USAGE,
                            "the variable '" + SafeText.line(key) + "' cannot be set: it contains a NUL character");
                }
            });
            return new ServerLaunchConfig(
                    command,
                    variables,
                    Optional.ofNullable(cwd),
                    isolationOptions.isolation(options.tokenFile(environment), environment));
        }
        if (!env.isEmpty() || cwd != null || isolationOptions.isSet()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "--env, --cwd, --user, --sandbox, --readable and --writable can only be used with a program to"
                            + " start");
        }
        Map<String, String> requestHeaders = values("--header", headers, environment);
        requestHeaders.forEach((key, value) -> {
            if (!HttpServerTarget.isValidHeader(key, value)) {
                throw new CommandException(ExitCode.USAGE, "'" + SafeText.line(key) + "' is not a valid HTTP header");
            }
        });
        return new HttpServerTarget(
                HttpServerTarget.url(url)
                        .orElseThrow(() -> new CommandException(
                                ExitCode.USAGE,
                                "--url must be the URL of an MCP server, such as https://example.org/mcp")),
                requestHeaders);
    }

    private static Map<String, String> values(String option, List<String> assignments, CommandEnvironment environment) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String each : assignments) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw new CommandException(ExitCode.USAGE, option + " must have the form NAME=VALUE");
            }
            switch (SecretValueResolver.resolve(each.substring(equals + 1), environment.variables())) {
                case ValueParseResult.Valid<String>(String value) -> values.put(each.substring(0, equals), value);
                case ValueParseResult.Invalid<String>(String problem) ->
                    throw new CommandException(ExitCode.USAGE, problem);
            }
        }
        return values;
    }

    /**
     * Verifies that the token belongs to {@code --name}, before the bridge starts, and perhaps downloads, a server in
     * vain.
     */
    private void verifyTokenOwner(GatewayEndpoint gatewayEndpoint) throws InterruptedException {
        try (RemoteGateway server = new RemoteGateway(gatewayEndpoint)) {
            Json you = server.topics().at("topics").elements().stream()
                    .filter(each -> each.at("name").text().equals(topic))
                    .findFirst()
                    .map(each -> each.at("you"))
                    .filter(Json::isPresent)
                    .orElseThrow(() -> new CommandException(
                            ExitCode.FAILURE,
                            "the topic '" + topic
                                    + "' does not exist, or the owner of the token is not a member of it"));
            String owner = you.at("id").text();
            if (!owner.equals(name)) {
                throw new CommandException(
                        ExitCode.USAGE, SafeText.line(RemoteTopicConnector.wrongTokenMessage(owner, name, topic)));
            }
        } catch (RemoteGatewayException e) {
            throw switch (e) {
                case Refused refused
                when refused.problem().status() == 401 ->
                    new CommandException(
                            ExitCode.USAGE,
                            "the server at " + gatewayEndpoint + " does not accept this token. Set another one "
                                    + ClientOptions.TOKEN_HINT + ".");
                case Refused refused ->
                    new CommandException(
                            ExitCode.FAILURE, SafeText.line(refused.problem().detail()));
                case Unreachable unreachable ->
                    new CommandException(
                            ExitCode.UNREACHABLE,
                            SafeText.line(unreachable.getMessage()
                                    + ". Set the Gavel server's URL with --gateway or GAVEL_URL."));
            };
        }
    }

    private void announce(BridgeStatus status, boolean asJson) {
        PrintWriter out = spec.commandLine().getOut();
        if (asJson) {
            out.println(Json.write(document -> {
                document.writeStartObject();
                document.writeStringProperty("bridge", status.name());
                document.writeStringProperty("topic", status.topic());
                status.tools().ifPresent(tools -> document.writeNumberProperty("tools", tools));
                status.version().ifPresent(version -> document.writeStringProperty("mcp", version));
                document.writeEndObject();
            }));
        } else {
            out.println("connected '" + status.name() + "' to topic '" + status.topic() + "'"
                    + status.toolCountText().map(tools -> " with " + tools).orElse("")
                    + (status.reason().isEmpty() ? "" : ". " + status.reason()));
        }
        out.flush();
    }
}
