package dev.gavel.bench.mcp;

import dev.gavel.bench.server.RunWorkspace;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs parts of the MCP benchmark without printing and returns their key figures to the benchmark suite. Stateless. */
public final class SilentMcpBenchmark {
    private SilentMcpBenchmark() {}

    /**
     * Permitted calls at the median, in nanoseconds.
     *
     * @param direct to the server itself, over HTTP
     * @param addedByStdio what more a call takes through Gavel, which has a pipe to the server
     * @param addedByHttp what more a call takes through Gavel, which uses HTTP
     */
    public record CallLatencies(long direct, long addedByStdio, long addedByHttp) {}

    /**
     * From an approval to the waiting client's result, in nanoseconds.
     *
     * @param permittedP99 of a permitted call at the same pace
     * @param sync one sync of the disk, at the median
     */
    public record ApprovalLatencies(long p50, long p99, long permittedP99, long sync) {}

    /** Times permitted calls in so many rounds. */
    public static CallLatencies measureCalls(RunWorkspace runWorkspace, int rounds)
            throws IOException, InterruptedException {
        return new CallLatencyBenchmark(rounds, silentPrinter()).run(runWorkspace);
    }

    /** Times so many approvals. */
    public static ApprovalLatencies measureApprovals(RunWorkspace runWorkspace, int count)
            throws IOException, InterruptedException {
        return new ApprovalLatencyBenchmark(count, false, silentPrinter()).run(runWorkspace);
    }

    /** The bytes of heap that each of so many waiting calls takes. */
    public static long measureWaitingHeap(RunWorkspace runWorkspace, int calls)
            throws IOException, InterruptedException {
        return new WaitingCallMemoryBenchmark(calls, false, silentPrinter()).run(runWorkspace);
    }

    private static MarkdownTablePrinter silentPrinter() {
        return new MarkdownTablePrinter(
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }
}
