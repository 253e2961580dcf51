package dev.gavel.bench.mcp;

import dev.gavel.bench.server.RunWorkspace;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs parts of the MCP benchmark without printing and returns their key figures to the benchmark suite. Stateless. */
public final class McpKeyFigureCollector {
    private McpKeyFigureCollector() {}

    /**
     * The median latencies of permitted calls, in nanoseconds.
     *
     * @param direct of a call to the server itself, over HTTP
     * @param addedByStdio the additional time of a call through Gavel to a server over standard input and output
     * @param addedByHttp the additional time of a call through Gavel to a server over HTTP
     */
    public record CallLatencies(long direct, long addedByStdio, long addedByHttp) {}

    /**
     * The latencies from an approval to the waiting client's result, in nanoseconds.
     *
     * @param permittedP99 of a permitted call in the same test
     * @param sync the median time of one disk sync
     */
    public record ApprovalLatencies(long p50, long p99, long permittedP99, long sync) {}

    /** Times permitted calls in this many rounds. */
    public static CallLatencies measureCalls(RunWorkspace runWorkspace, int rounds)
            throws IOException, InterruptedException {
        return new CallLatencyBenchmark(rounds, silentPrinter()).run(runWorkspace);
    }

    /** Times this many approvals. */
    public static ApprovalLatencies measureApprovals(RunWorkspace runWorkspace, int count)
            throws IOException, InterruptedException {
        return new ApprovalToResultBenchmark(count, false, silentPrinter()).run(runWorkspace);
    }

    /** The heap in bytes per waiting call, measured with this many calls. */
    public static long measureWaitingHeap(RunWorkspace runWorkspace, int calls)
            throws IOException, InterruptedException {
        return new WaitingCallMemoryBenchmark(calls, false, silentPrinter()).run(runWorkspace);
    }

    private static MarkdownTablePrinter silentPrinter() {
        return new MarkdownTablePrinter(
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }
}
