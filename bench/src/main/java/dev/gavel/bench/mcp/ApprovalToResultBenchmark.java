package dev.gavel.bench.mcp;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.stats.TimeSamples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from a reviewer's approval until the waiting MCP client has read the result. An approval and a
 * response are each durable before any participant receives them, so the disk's sync time is measured, too. With the
 * data in memory, what remains is Gavel's own time.
 */
final class ApprovalToResultBenchmark {
    private static final Path MEMORY_DIRECTORY = Path.of("/dev/shm");
    private static final int WARM_UP = 100;
    private static final int MOST_AT_ONCE = 500;
    private static final int WARM_UP_ROUNDS = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(3);
    private static final double MILLIS = 1e6;

    /** One for the fulfilment and one for the response. */
    private static final int SYNCS = 2;

    private final int approvals;
    private final boolean inMemoryToo;
    private final MarkdownTablePrinter markdownTablePrinter;

    /**
     * Creates a benchmark.
     *
     * @param inMemoryToo whether to measure once more with the data in memory
     */
    ApprovalToResultBenchmark(int approvals, boolean inMemoryToo, MarkdownTablePrinter markdownTablePrinter) {
        this.approvals = approvals;
        this.inMemoryToo = inMemoryToo;
        this.markdownTablePrinter = markdownTablePrinter;
    }

    /** The response that a client has read in the end, and when. */
    private record TimedResponse(long at, String answer) {
        long toolNanos() {
            if (!BenchRpcMessages.isSuccessfulResult(answer)) {
                throw new RunFailedException("an approved call has no result: " + answer);
            }
            return Long.parseLong(BenchRpcMessages.textField(answer.substring(answer.indexOf("\"result\":")), "text"));
        }
    }

    /** Measures, prints, and returns the result with the data on disk. */
    McpKeyFigureCollector.ApprovalLatencies run(RunWorkspace runWorkspace) throws IOException, InterruptedException {
        markdownTablePrinter.printHeader(
                "data",
                "approval to result: p50, ms",
                "p90, ms",
                "p99, ms",
                "permitted call: p50, ms",
                "p90, ms",
                "p99, ms",
                "disk sync: p50, ms",
                "p90, ms",
                "p99, ms",
                "p50 minus a permitted call and two syncs, ms");
        McpKeyFigureCollector.ApprovalLatencies onDisk = measure("on disk", runWorkspace, runWorkspace.directory());
        if (inMemoryToo && Files.isWritable(MEMORY_DIRECTORY)) {
            try (RunWorkspace inMemory = RunWorkspace.open(MEMORY_DIRECTORY)) {
                var _ = measure("in memory", runWorkspace, inMemory.directory());
            }
        }
        return onDisk;
    }

    private McpKeyFigureCollector.ApprovalLatencies measure(String name, RunWorkspace runWorkspace, Path directory)
            throws IOException, InterruptedException {
        TimeSamples times = new TimeSamples();
        TimeSamples permitted = new TimeSamples();
        McpBenchEnvironment mcpBenchEnvironment =
                McpBenchEnvironment.open(runWorkspace, directory.resolve("approvals"));
        int crowd = Math.min(approvals, MOST_AT_ONCE);
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            try (ApprovingReviewer reviewer = mcpBenchEnvironment.connectReviewer()) {
                ConnectedWaitingCalls.warmUp(mcpBenchEnvironment, reviewer, crowd);
            }
        }
        try (BenchHttpMcpClient client = mcpBenchEnvironment.openSession("proposer");
                BenchHttpMcpClient caller = mcpBenchEnvironment.openSession("caller");
                ApprovingReviewer reviewer = mcpBenchEnvironment.connectReviewer();
                DiskSyncTimer sync = new DiskSyncTimer(directory);
                ExecutorService readExecutor = Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().factory())) {
            for (int i = -WARM_UP; i < approvals; i++) {
                sync.measureOnce();
                long direct = measurePermittedCall(i + WARM_UP, caller);
                long nanos = measureApproval(i + WARM_UP + 10, client, reviewer, readExecutor);
                if (i >= 0) {
                    times.add(nanos);
                    permitted.add(direct);
                }
            }
            markdownTablePrinter.printRow(
                    name,
                    millis(times.median()),
                    millis(times.percentile(90)),
                    "**" + millis(times.percentile(99)) + "**",
                    millis(permitted.median()),
                    millis(permitted.percentile(90)),
                    millis(permitted.percentile(99)),
                    millis(sync.samples().median()),
                    millis(sync.samples().percentile(90)),
                    millis(sync.samples().percentile(99)),
                    millis(times.median()
                            - permitted.median()
                            - SYNCS * sync.samples().median()));
            return new McpKeyFigureCollector.ApprovalLatencies(
                    times.median(),
                    times.percentile(99),
                    permitted.percentile(99),
                    sync.samples().median());
        } finally {
            mcpBenchEnvironment.gavel().stop();
        }
    }

    /** Measures the same round trip to the tool, without an approval and without the ledger. */
    private static long measurePermittedCall(int id, BenchHttpMcpClient caller)
            throws IOException, InterruptedException {
        Thread.sleep(PAUSE);
        long start = System.nanoTime();
        TimedResponse read =
                new TimedResponse(0, caller.request(BenchRpcMessages.call(id + 10, McpBenchEnvironment.PIPE_TOOL)));
        return System.nanoTime() - start - read.toolNanos();
    }

    private static long measureApproval(
            int id, BenchHttpMcpClient client, ApprovingReviewer reviewer, ExecutorService readExecutor)
            throws IOException, InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<TimedResponse> timedResponse =
                CompletableFuture.supplyAsync(() -> call(id, client, waits), readExecutor);
        String proposal = reviewer.nextProposal();
        // Only waiting clients are measured: the client has been notified that its call is pending.
        if (!waits.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            throw new RunFailedException("the client was not notified that its call is waiting");
        }
        Thread.sleep(PAUSE);
        long start = System.nanoTime();
        reviewer.approve(proposal);
        TimedResponse read = ConditionWaiter.require("the result of an approved call", TIMEOUT, timedResponse);
        return read.at() - start - read.toolNanos();
    }

    private static TimedResponse call(int id, BenchHttpMcpClient client, CountDownLatch waits) {
        TimedResponse[] last = {new TimedResponse(0, "")};
        try {
            client.post(BenchRpcMessages.callWithProgress(id, McpBenchEnvironment.PIPE_TOOL), message -> {
                last[0] = new TimedResponse(System.nanoTime(), message);
                waits.countDown();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return last[0];
    }

    private static String millis(long nanos) {
        return MarkdownTablePrinter.formatNumber(nanos / MILLIS, 2);
    }
}
