package dev.gavel.bench.mcp;

import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The figures of {@link McpFigures} in short, for those who print them otherwise. Stateless. */
public final class McpSummary {
    private McpSummary() {}

    /**
     * Permitted calls at the median, in nanoseconds.
     *
     * @param direct to the server itself, over HTTP
     * @param piped what more a call takes through Gavel, which has a pipe to the server
     * @param overHttp what more a call takes through Gavel, which uses HTTP
     */
    public record Calls(long direct, long piped, long overHttp) {}

    /**
     * From an approval to the waiting client's result, in nanoseconds.
     *
     * @param permittedP99 of a permitted call at the same pace
     * @param sync one sync of the disk, at the median
     */
    public record Approvals(long p50, long p99, long permittedP99, long sync) {}

    /** Times permitted calls in so many rounds. */
    public static Calls calls(Workbench workbench, int rounds) throws IOException, InterruptedException {
        return new CallTimes(rounds, silent()).run(workbench);
    }

    /** Times so many approvals. */
    public static Approvals approvals(Workbench workbench, int count) throws IOException, InterruptedException {
        return new ApprovalTimes(count, false, silent()).run(workbench);
    }

    /** The bytes of heap that each of so many waiting calls takes. */
    public static long waiting(Workbench workbench, int calls) throws IOException, InterruptedException {
        return new WaitingMemory(calls, false, silent()).run(workbench);
    }

    private static Table silent() {
        return new Table(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }
}
