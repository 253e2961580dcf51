package dev.gavel.bench.mcp;

import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the server's heap and resident memory for each tool call that waits for approval. In the end all calls are
 * approved and every result is read.
 */
final class WaitingCallMemoryBenchmark {
    private static final int WARM_UP = 500;
    private static final double KIB = 1024;
    private static final double MIB = KIB * 1024;

    private final int calls;
    private final boolean allKinds;
    private final MarkdownTablePrinter markdownTablePrinter;

    /**
     * Creates a benchmark.
     *
     * @param allWays whether to measure all ways of waiting, or only the first
     */
    WaitingCallMemoryBenchmark(int calls, boolean allWays, MarkdownTablePrinter markdownTablePrinter) {
        this.calls = calls;
        this.allKinds = allWays;
        this.markdownTablePrinter = markdownTablePrinter;
    }

    /** The server's memory at one moment. */
    private record MemoryUsage(long heap, long resident) {
        static MemoryUsage of(SingleGatewayProcess singleGatewayProcess) throws IOException, InterruptedException {
            long heap = singleGatewayProcess.heapBytes();
            return new MemoryUsage(heap, singleGatewayProcess.residentBytes());
        }
    }

    /** One way of waiting, and its memory before and during. */
    private record MemoryMeasurement(
            String name, McpBenchEnvironment mcpBenchEnvironment, MemoryUsage before, MemoryUsage during) {}

    /** Creates calls that wait in one way. */
    @FunctionalInterface
    private interface WaitingCallsFactory {
        WaitingCalls create(McpBenchEnvironment mcpBenchEnvironment, int size) throws IOException;
    }

    /** Measures, prints, and returns the heap in bytes per call that waits on its own connection. */
    long run(RunWorkspace runWorkspace) throws IOException, InterruptedException {
        List<MemoryMeasurement> all = new ArrayList<>();
        all.add(measure(
                runWorkspace,
                "sessions",
                "one connection for each, MCP " + BenchRpcMessages.SESSION_VERSION,
                (mcpBenchEnvironment, size) -> new ConnectedWaitingCalls(mcpBenchEnvironment, size, true)));
        if (allKinds) {
            all.add(measure(
                    runWorkspace,
                    "stateless",
                    "one connection for each, MCP " + BenchRpcMessages.STATELESS_VERSION,
                    (mcpBenchEnvironment, size) -> new ConnectedWaitingCalls(mcpBenchEnvironment, size, false)));
            all.add(measure(
                    runWorkspace,
                    "tasks",
                    "as tasks, MCP " + BenchRpcMessages.STATELESS_VERSION,
                    TaskWaitingCalls::new));
        }
        markdownTablePrinter.printHeader(
                MarkdownTablePrinter.formatNumber(calls, 0) + " waiting calls",
                "heap for each, KiB",
                "resident memory for each, KiB",
                "heap before, MiB",
                "heap after all have ended, MiB");
        for (MemoryMeasurement each : all) {
            // By now the server stores nothing any more for clients that might have been disconnected.
            markdownTablePrinter.printRow(
                    each.name(),
                    "**"
                            + MarkdownTablePrinter.formatNumber(
                                    (each.during().heap() - each.before().heap()) / KIB / calls, 1)
                            + "**",
                    MarkdownTablePrinter.formatNumber(
                            (each.during().resident() - each.before().resident()) / KIB / calls, 1),
                    MarkdownTablePrinter.formatNumber(each.before().heap() / MIB, 0),
                    MarkdownTablePrinter.formatNumber(
                            each.mcpBenchEnvironment().gavel().heapBytes() / MIB, 0));
            each.mcpBenchEnvironment().gavel().stop();
        }
        MemoryMeasurement first = all.getFirst();
        return (first.during().heap() - first.before().heap()) / calls;
    }

    private MemoryMeasurement measure(
            RunWorkspace runWorkspace, String data, String name, WaitingCallsFactory waitingCallsFactory)
            throws IOException, InterruptedException {

        McpBenchEnvironment mcpBenchEnvironment =
                McpBenchEnvironment.open(runWorkspace, runWorkspace.directory().resolve(data));
        try (ApprovingReviewer reviewer = mcpBenchEnvironment.connectReviewer()) {
            try (WaitingCalls warmUp = waitingCallsFactory.create(mcpBenchEnvironment, Math.min(calls, WARM_UP))) {
                warmUp.startAll(reviewer);
                warmUp.approveAll(reviewer);
            }
            MemoryUsage before = MemoryUsage.of(mcpBenchEnvironment.gavel());
            try (WaitingCalls waitingCalls = waitingCallsFactory.create(mcpBenchEnvironment, calls)) {
                waitingCalls.startAll(reviewer);
                MemoryUsage during = MemoryUsage.of(mcpBenchEnvironment.gavel());
                waitingCalls.approveAll(reviewer);
                return new MemoryMeasurement(name, mcpBenchEnvironment, before, during);
            }
        }
    }
}
