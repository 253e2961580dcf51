package dev.gavel.bench.mcp;

import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures the latency of a tool call that needs no approval: direct, through a minimal relay, and through Gavel. They
 * alternate in short rounds, so that variations of the machine affect all of them equally.
 */
final class CallLatencyBenchmark {
    private static final int CALLS_A_ROUND = 100;
    private static final Duration START = Duration.ofSeconds(30);
    private static final double MICROS = 1e3;

    private final int rounds;
    private final MarkdownTablePrinter markdownTablePrinter;

    CallLatencyBenchmark(int rounds, MarkdownTablePrinter markdownTablePrinter) {
        this.rounds = rounds;
        this.markdownTablePrinter = markdownTablePrinter;
    }

    /** Measures, prints, and returns the result. */
    McpKeyFigureCollector.CallLatencies run(RunWorkspace runWorkspace) throws IOException, InterruptedException {
        McpBenchEnvironment mcpBenchEnvironment =
                McpBenchEnvironment.open(runWorkspace, runWorkspace.directory().resolve("calls"));
        ServerProcess relay = runWorkspace.start(
                "relay", McpBenchEnvironment.serverCommand("relay", McpBenchEnvironment.PIPE_TOOL), Map.of());
        try (BenchMcpClient pipe = BenchStdioMcpClient.start(
                        McpBenchEnvironment.serverCommand("stdio", McpBenchEnvironment.PIPE_TOOL));
                BenchMcpClient http =
                        BenchHttpMcpClient.openSession(mcpBenchEnvironment.httpServerAddress(), "/mcp", "none");
                BenchMcpClient relayed = BenchHttpMcpClient.openSession(relay.awaitAddress(START), "/mcp", "none");
                BenchMcpClient gavel = mcpBenchEnvironment.openSession("caller");
                BenchMcpClient unrecorded = mcpBenchEnvironment.openUnrecordedSession("caller")) {
            ToolCallTimer direct = new ToolCallTimer("direct, over HTTP", http, McpBenchEnvironment.HTTP_TOOL);
            ToolCallTimer piped =
                    new ToolCallTimer("through Gavel, which uses a pipe", gavel, McpBenchEnvironment.PIPE_TOOL);
            ToolCallTimer overHttp =
                    new ToolCallTimer("through Gavel, which uses HTTP", gavel, McpBenchEnvironment.HTTP_TOOL);
            compare(
                    direct,
                    new ToolCallTimer("direct, over a pipe", pipe, McpBenchEnvironment.PIPE_TOOL),
                    new ToolCallTimer("through a relay, which uses a pipe", relayed, McpBenchEnvironment.PIPE_TOOL),
                    List.of(
                            piped,
                            new ToolCallTimer(
                                    "the same, in a topic without a ledger", unrecorded, McpBenchEnvironment.PIPE_TOOL),
                            overHttp));
            return new McpKeyFigureCollector.CallLatencies(
                    direct.samples().median(), piped.medianDifference(direct), overHttp.medianDifference(direct));
        } finally {
            mcpBenchEnvironment.gavel().stop();
        }
    }

    /** Measures some routes together with those without Gavel. */
    void compare(ToolCallTimer http, ToolCallTimer pipe, ToolCallTimer relay, List<ToolCallTimer> others)
            throws IOException {
        List<ToolCallTimer> toolCallTimers = new ArrayList<>(List.of(http, pipe, relay));
        toolCallTimers.addAll(others);
        for (int i = 0; i < rounds; i++) {
            for (ToolCallTimer toolCallTimer : toolCallTimers) {
                toolCallTimer.call(CALLS_A_ROUND);
            }
        }
        for (int i = 0; i < rounds; i++) {
            for (ToolCallTimer toolCallTimer : toolCallTimers) {
                toolCallTimer.measure(CALLS_A_ROUND);
            }
        }
        markdownTablePrinter.printHeader(
                "a permitted call",
                "p50, µs",
                "p90, µs",
                "p99, µs",
                "p50 more than direct HTTP, µs",
                "p50 more than a direct pipe, µs",
                "p50, ratio to the relay");
        for (ToolCallTimer toolCallTimer : toolCallTimers) {
            markdownTablePrinter.printRow(
                    toolCallTimer.name(),
                    micros(toolCallTimer.samples().median()),
                    micros(toolCallTimer.samples().percentile(90)),
                    micros(toolCallTimer.samples().percentile(99)),
                    "**" + micros(toolCallTimer.medianDifference(http)) + "**",
                    micros(toolCallTimer.medianDifference(pipe)),
                    MarkdownTablePrinter.formatNumber(
                            (double) toolCallTimer.samples().median()
                                    / relay.samples().median(),
                            1));
        }
    }

    private static String micros(long nanos) {
        return MarkdownTablePrinter.formatNumber(nanos / MICROS, 0);
    }
}
