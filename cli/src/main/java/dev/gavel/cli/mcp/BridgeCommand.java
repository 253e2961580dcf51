package dev.gavel.cli.mcp;

import dev.gavel.cli.ClientOptions;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.GavelRootCommand;
import dev.gavel.cli.SecretValueResolver;
import dev.gavel.cli.ShutdownAction;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code gavel bridge} command: connects an MCP server to a topic of a remote gateway. */
@Command(
        name = "bridge",
        description = "Bring an MCP server into a topic.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel bridge --topic main --name files -- \\",
            "      npx -y @modelcontextprotocol/server-filesystem ./data",
            "  gavel bridge --topic main --name search --url https://example.org/mcp \\",
            "      --header Authorization=env:SEARCH_AUTH",
            "",
            "The token says who the bridge is, and must be that of --name. It needs the",
            "capabilities mcp.response.* and mcp.request.notifications/* in the topic. The",
            "program gets PATH, HOME, USER, LANG and what --env says, nothing else. This",
            "ends when the program ends; 'bridges:' in gavel.yaml starts it again.",
        })
public final class BridgeCommand implements Callable<Integer> {
    @Option(names = "--topic", paramLabel = "TOPIC", required = true, description = "The topic's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            required = true,
            description = "The member that the server is in the topic.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(names = "--url", paramLabel = "URL", description = "An MCP server to reach, instead of one to start.")
    private @Nullable String url;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "Sent with every request to --url; the value may be env:NAME or file:PATH.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "A variable for the program; the value may be env:NAME or file:PATH.")
    private List<String> env = new ArrayList<>();

    @Option(names = "--cwd", paramLabel = "DIR", description = "Where the program runs.")
    private @Nullable Path cwd;

    @Option(
            names = "--gateway",
            paramLabel = "URL",
            description = "Where the gateway is (or GAVEL_URL). Default: http://127.0.0.1:4285.")
    private @Nullable String gateway;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "The bridge's token: env:NAME or file:PATH (or GAVEL_TOKEN).")
    private @Nullable String token;

    @Option(names = "--json", description = "Print JSON for programs, and nothing else.")
    private boolean json;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "After --: the program and its arguments.")
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
        ServerTarget target = target(environment);
        GatewayEndpoint gatewayEndpoint = options.endpoint(environment, err::println);
        String secret = gatewayEndpoint
                .token()
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE,
                        "a bridge needs the token of '" + name + "'; give one " + ClientOptions.TOKEN_HINT
                                + ". An admin makes it with: " + RemoteTopicConnector.createTokenCommand(name, topic)));
        LogbackConfigurator.reconfigure(LogOutputFormat.TEXT, LogLevel.INFO);
        verifyTokenOwner(gatewayEndpoint);
        Bridge bridge = new Bridge(
                name,
                topic,
                () -> target.newTransport(name),
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
                EnvelopeLimits.DEFAULT,
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
            throw new CommandException(
                    ExitCode.FAILURE, "'" + name + "' is bridged no more: " + SafeText.line(failure));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            bridge.close();
        }
    }

    private static void requireValid(ValueParseResult<?> parseResult) {
        if (parseResult instanceof ValueParseResult.Invalid<?>(String problem)) {
            throw new CommandException(ExitCode.USAGE, SafeText.line(problem));
        }
    }

    private ServerTarget target(CommandEnvironment environment) {
        if (command.isEmpty() == (url == null)) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "say either which program to start, after --, or with --url which MCP server to reach");
        }
        if (url == null) {
            if (!headers.isEmpty()) {
                throw new CommandException(ExitCode.USAGE, "--header goes with --url");
            }
            if (cwd != null && !Files.isDirectory(cwd)) {
                throw new CommandException(ExitCode.USAGE, "--cwd: there is no directory " + cwd);
            }
            Map<String, String> variables = values("--env", env, environment);
            variables.forEach((key, value) -> {
                if (!ServerLaunchConfig.isValidVariable(key, value)) {
                    throw new CommandException(
                            ExitCode.USAGE, "the variable '" + SafeText.line(key) + "' cannot be set: it has a NUL");
                }
            });
            return new ServerLaunchConfig(command, variables, Optional.ofNullable(cwd));
        }
        if (!env.isEmpty() || cwd != null) {
            throw new CommandException(ExitCode.USAGE, "--env and --cwd go with a program to start");
        }
        Map<String, String> requestHeaders = values("--header", headers, environment);
        requestHeaders.forEach((key, value) -> {
            if (!HttpServerTarget.isValidHeader(key, value)) {
                throw new CommandException(
                        ExitCode.USAGE, "the header '" + SafeText.line(key) + "' cannot be sent in HTTP");
            }
        });
        return new HttpServerTarget(
                HttpServerTarget.url(url)
                        .orElseThrow(() -> new CommandException(
                                ExitCode.USAGE,
                                "--url must be the address of an MCP server, such as https://example.org/mcp")),
                requestHeaders);
    }

    private static Map<String, String> values(String option, List<String> assignments, CommandEnvironment environment) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String each : assignments) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw new CommandException(ExitCode.USAGE, option + " is NAME=VALUE");
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
                            "there is no topic '" + topic + "', or whose token this is is no member of it"));
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
                            "the gateway at " + gatewayEndpoint + " does not know this token; give another "
                                    + ClientOptions.TOKEN_HINT);
                case Refused refused ->
                    new CommandException(
                            ExitCode.FAILURE, SafeText.line(refused.problem().detail()));
                case Unreachable unreachable ->
                    new CommandException(
                            ExitCode.UNREACHABLE,
                            SafeText.line(unreachable.getMessage()
                                    + "; say where the gateway is with --gateway or GAVEL_URL"));
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
            out.println("'" + status.name() + "' is bridged into topic '" + status.topic() + "'"
                    + status.toolCountText().map(tools -> ", with " + tools).orElse(""));
        }
        out.flush();
    }
}
