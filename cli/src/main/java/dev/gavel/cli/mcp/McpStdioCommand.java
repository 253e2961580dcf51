package dev.gavel.cli.mcp;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.ShutdownAction;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.cli.build.BuildInfo;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.mcp.client.HttpServerTarget;
import dev.gavel.mcp.facade.stateless.DiscoverResponseFactory;
import dev.gavel.mcp.relay.DiscoverResponder;
import dev.gavel.mcp.relay.StdioHttpRelay;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.text.SafeText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel mcp} command: serves a topic to an MCP client over standard input and output. */
@Command(
        name = "mcp",
        description = "Serve a topic to an MCP client over standard input and output.",
        footer = {
            "  gavel mcp --topic main",
            "  gavel mcp --topic ops --url https://gavel.example.org --token file:token",
            "",
            "Use this command for MCP clients that support only stdio. For other clients,",
            "configure the URL http://HOST:PORT/mcp/TOPIC and a token. Standard output",
            "contains only MCP messages. If there is an error, the client gets it as an MCP",
            "response, and the command also prints it to standard error. Only the first URL",
            "of --url is used. The command never uses your login. If you set no token, it",
            "uses the token of 'agent' in the data directory of a local server.",
        })
public final class McpStdioCommand extends ClientCommand {
    private static final Duration DISCOVER_DEADLINE = Duration.ofMillis(700);
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(50);

    @Option(names = "--topic", paramLabel = "TOPIC", required = true, description = "The topic's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    @Override
    protected void validate() {
        if (TopicName.parse(topic) instanceof ValueParseResult.Invalid<TopicName>(String problem)) {
            throw new CommandException(ExitCode.USAGE, SafeText.line(problem));
        }
    }

    /** The reader of standard output is an MCP client, which is an agent: it must not act as the person logged in. */
    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.AGENT;
    }

    /**
     * Some clients give up the newest protocol version if a command does not answer within a second of its start, so
     * the time that the program took to start counts.
     */
    private DiscoverResponder discoverResponder() {
        Duration elapsed = ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> Duration.between(start, Instant.now()))
                .orElse(Duration.ZERO);
        Duration rest = DISCOVER_DEADLINE.minus(elapsed);
        return new DiscoverResponder(
                rest.compareTo(MIN_TIMEOUT) > 0 ? rest : MIN_TIMEOUT,
                id -> DiscoverResponseFactory.createOffline(id, topic, BuildInfo.version()));
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) {
        GatewayEndpoint gatewayEndpoint = clientCommandContext.gateway().endpoint();
        HttpServerTarget endpoint = new HttpServerTarget(
                URI.create(gatewayEndpoint.url() + "/mcp/" + topic),
                gatewayEndpoint
                        .token()
                        .map(token -> Map.of("Authorization", "Bearer " + token))
                        .orElse(Map.of()));
        // Standard output carries MCP only; redirect any other output to standard error, so that it cannot mix with
        // messages.
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            System.setOut(System.err);
            StdioHttpRelay relay = new StdioHttpRelay(
                    endpoint, System.in, out, discoverResponder(), clientCommandContext.output()::warn);
            try (ShutdownAction _ = new ShutdownAction(() -> {
                relay.close();
                if (clientCommandContext.environment().ownsProcess()) {
                    Runtime.getRuntime().halt(ExitCode.SUCCESS);
                }
            })) {
                relay.run();
            }
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.FAILURE, "cannot read from the client: " + CommandException.describe(e));
        }
        return ExitCode.SUCCESS;
    }
}
