package dev.gavel.bench.suite;

import dev.gavel.bench.Workbench;
import dev.gavel.bench.mcp.McpSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Locale;

/** What MCP clients notice of Gavel: calls, approvals, and the memory of those that wait. Used by one thread. */
final class McpPart implements Part {
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
    public Duration limit() {
        return Duration.ofMinutes(4);
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        calls(workbench, sheet);
        approvals(workbench, sheet);
        try (Workbench own =
                Workbench.open(Files.createDirectory(workbench.directory().resolve("waiting")))) {
            sheet.figure(
                    "heap for a call that waits for approval, of " + WAITING,
                    McpSummary.waiting(own, WAITING) / KB,
                    " KB",
                    Target.atMost(20),
                    "");
        }
    }

    private static void calls(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        try (Workbench own =
                Workbench.open(Files.createDirectory(workbench.directory().resolve("calls")))) {
            McpSummary.Calls calls = McpSummary.calls(own, ROUNDS);
            String direct = String.format(Locale.ROOT, "a direct call takes %.3f ms", calls.direct() / MILLIS);
            sheet.figure(
                    "a permitted call, more than direct, Gavel having a pipe (p50)",
                    calls.piped() / MILLIS,
                    " ms",
                    Target.atMost(1),
                    direct);
            sheet.figure(
                    "a permitted call, more than direct, Gavel using HTTP (p50)",
                    calls.overHttp() / MILLIS,
                    " ms",
                    Target.atMost(1),
                    direct);
        }
    }

    private static void approvals(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        try (Workbench own =
                Workbench.open(Files.createDirectory(workbench.directory().resolve("approvals")))) {
            McpSummary.Approvals approvals = McpSummary.approvals(own, APPROVALS);
            sheet.figure(
                    "from an approval to the waiting client's result (p99)",
                    approvals.p99() / MILLIS,
                    " ms",
                    Target.atMost(3),
                    String.format(
                            Locale.ROOT,
                            "p50 %.2f ms; a permitted call's p99 at that pace %.2f ms; one sync %.2f ms",
                            approvals.p50() / MILLIS,
                            approvals.permittedP99() / MILLIS,
                            approvals.sync() / MILLIS));
        }
    }
}
