package dev.gavel.bench.mcp;

import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.ServerProcess;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Starts a Gavel server with one topic and two bridges to the {@link MinimalMcpServer}, and connects MCP clients and
 * the reviewer. Used by one thread.
 */
final class McpBenchEnvironment {
    static final String PIPE_TOOL = "note_by_pipe";
    static final String HTTP_TOOL = "note_by_http";
    static final String STDIO_BRIDGE = "piped";

    private static final String TOPIC = "bench";
    private static final String UNRECORDED_TOPIC = "relay";
    private static final String HTTP_BRIDGE = "web";
    private static final String UNRECORDED_BRIDGE = "plain";
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final SingleGatewayProcess singleGatewayProcess;
    private final InetSocketAddress web;

    private McpBenchEnvironment(SingleGatewayProcess singleGatewayProcess, InetSocketAddress web) {
        this.singleGatewayProcess = singleGatewayProcess;
        this.web = web;
    }

    /** Starts everything, and returns when both tools can be called. */
    static McpBenchEnvironment open(RunWorkspace runWorkspace, Path data) throws IOException, InterruptedException {
        ServerProcess tiny = runWorkspace.start("tiny server", serverCommand("http", HTTP_TOOL), Map.of());
        InetSocketAddress web = tiny.awaitAddress(START);
        SingleGatewayProcess singleGatewayProcess =
                new SingleGatewayProcess(runWorkspace, "mcp", configuration(web), data, "-Xmx1g");
        singleGatewayProcess.start();
        McpBenchEnvironment mcpBenchEnvironment = new McpBenchEnvironment(singleGatewayProcess, web);
        try (BenchHttpMcpClient caller = mcpBenchEnvironment.openSession("caller")) {
            for (String tool : List.of(PIPE_TOOL, HTTP_TOOL)) {
                ConditionWaiter.require("the tool " + tool, SOON, () -> isCallable(caller, tool));
            }
        }
        return mcpBenchEnvironment;
    }

    private static boolean isCallable(BenchHttpMcpClient caller, String tool) {
        try {
            return BenchRpcMessages.isSuccessfulResult(caller.request(BenchRpcMessages.call(1, tool)));
        } catch (IOException _) {
            return false;
        }
    }

    /** The command that starts the {@link MinimalMcpServer}. */
    static List<String> serverCommand(String transport, String tool) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                MinimalMcpServer.class.getName(),
                transport,
                tool);
    }

    private static String configuration(InetSocketAddress web) {
        StringBuilder identities = new StringBuilder();
        for (String name : List.of("caller", "proposer", "reviewer")) {
            identities.append("  %s: {token: \"%s\", hold: 1h}\n".formatted(name, GavelConfigBuilder.token(name)));
        }
        return """
                limits: {ask: off, bytes: off, rate: 1000000/s, connections: 20000, connectionsPerIdentity: 20000, open: 50000}
                identities:
                %stopics:
                  %s:
                    ttl: {default: 1h}
                    participants:
                      caller: ["mcp.request.*"]
                      proposer: ["mcp.proposal.*", "mcpx.withdraw.proposal"]
                      reviewer: ["*"]
                  %s:
                    ledger: off
                    participants:
                      caller: ["mcp.request.*"]
                bridges:
                  %s: {topic: %s, command: ["%s"]}
                  %s: {topic: %s, command: ["%s"]}
                  %s: {topic: %s, url: "http://127.0.0.1:%d/mcp"}
                """.formatted(
                        identities,
                        TOPIC,
                        UNRECORDED_TOPIC,
                        UNRECORDED_BRIDGE,
                        UNRECORDED_TOPIC,
                        String.join("\", \"", serverCommand("stdio", PIPE_TOOL)),
                        STDIO_BRIDGE,
                        TOPIC,
                        String.join("\", \"", serverCommand("stdio", PIPE_TOOL)),
                        HTTP_BRIDGE,
                        TOPIC,
                        web.getPort());
    }

    SingleGatewayProcess gavel() {
        return singleGatewayProcess;
    }

    /** The address of the {@link MinimalMcpServer}, for calls without Gavel. */
    InetSocketAddress httpServerAddress() {
        return web;
    }

    /** Connects an identity's MCP client to a topic without a ledger, which does not record calls. */
    BenchHttpMcpClient openUnrecordedSession(String identity) throws IOException, InterruptedException {
        BenchHttpMcpClient client = BenchHttpMcpClient.openSession(
                singleGatewayProcess.address(), "/mcp/" + UNRECORDED_TOPIC, GavelConfigBuilder.token(identity));
        ConditionWaiter.require("the unrecorded tool", SOON, () -> isCallable(client, PIPE_TOOL));
        return client;
    }

    /** Connects an identity's MCP client with its own session. */
    BenchHttpMcpClient openSession(String identity) throws IOException {
        return BenchHttpMcpClient.openSession(
                singleGatewayProcess.address(), "/mcp/" + TOPIC, GavelConfigBuilder.token(identity));
    }

    /** Opens another connection of a client. */
    BenchHttpMcpClient openConnection(String identity, String session) throws IOException {
        return BenchHttpMcpClient.connect(
                singleGatewayProcess.address(), "/mcp/" + TOPIC, GavelConfigBuilder.token(identity), session);
    }

    /** Opens a connection of a client in the version without sessions. */
    BenchHttpMcpClient openStateless(String identity) throws IOException {
        return BenchHttpMcpClient.connectStateless(
                singleGatewayProcess.address(), "/mcp/" + TOPIC, GavelConfigBuilder.token(identity));
    }

    /** Connects the reviewer, which receives proposals by WebSocket. */
    ApprovingReviewer connectReviewer() throws IOException, InterruptedException {
        return new ApprovingReviewer(singleGatewayProcess, TOPIC);
    }
}
