package dev.gavel.bench.suite;

import dev.gavel.bench.mcp.McpKeyFigureCollector;
import dev.gavel.bench.server.RunWorkspace;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Locale;

/** Suite part that measures MCP call latency, approval latency and the memory of waiting calls. Used by one thread. */
final class McpPart implements SuitePart {
    private static final int ROUNDS = 20;
    private static final int APPROVALS = 300;
    private static final int WAITING = 2_000;
    private static final double MILLIS = 1e6;
    private static final double KB = 1e3;

    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(4);
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws IOException, InterruptedException {
        measureCalls(runWorkspace, suiteResults);
        measureApprovals(runWorkspace, suiteResults);
        try (RunWorkspace own =
                RunWorkspace.open(Files.createDirectory(runWorkspace.directory().resolve("waiting")))) {
            suiteResults.addFigure(
                    "heap per call that waits for approval, with " + WAITING + " calls",
                    McpKeyFigureCollector.measureWaitingHeap(own, WAITING) / KB,
                    " KB",
                    FigureTarget.atMost(20),
                    "");
        }
    }

    private static void measureCalls(RunWorkspace runWorkspace, SuiteResults suiteResults)
            throws IOException, InterruptedException {
        try (RunWorkspace own =
                RunWorkspace.open(Files.createDirectory(runWorkspace.directory().resolve("calls")))) {
            McpKeyFigureCollector.CallLatencies callLatencies = McpKeyFigureCollector.measureCalls(own, ROUNDS);
            String direct = String.format(Locale.ROOT, "a direct call takes %.3f ms", callLatencies.direct() / MILLIS);
            suiteResults.addFigure(
                    "time that Gavel adds to a permitted call, with a pipe to the server (p50)",
                    callLatencies.addedByStdio() / MILLIS,
                    " ms",
                    FigureTarget.atMost(1),
                    direct);
            suiteResults.addFigure(
                    "time that Gavel adds to a permitted call, with HTTP to the server (p50)",
                    callLatencies.addedByHttp() / MILLIS,
                    " ms",
                    FigureTarget.atMost(1),
                    direct);
        }
    }

    private static void measureApprovals(RunWorkspace runWorkspace, SuiteResults suiteResults)
            throws IOException, InterruptedException {
        try (RunWorkspace own =
                RunWorkspace.open(Files.createDirectory(runWorkspace.directory().resolve("approvals")))) {
            McpKeyFigureCollector.ApprovalLatencies approvalLatencies =
                    McpKeyFigureCollector.measureApprovals(own, APPROVALS);
            suiteResults.addFigure(
                    "time from an approval to the waiting client's result (p99)",
                    approvalLatencies.p99() / MILLIS,
                    " ms",
                    FigureTarget.atMost(3),
                    String.format(
                            Locale.ROOT,
                            "p50: %.2f ms; p99 of a permitted call in the same test: %.2f ms; disk sync: %.2f ms",
                            approvalLatencies.p50() / MILLIS,
                            approvalLatencies.permittedP99() / MILLIS,
                            approvalLatencies.sync() / MILLIS));
        }
    }
}
