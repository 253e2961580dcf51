package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Samples;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.reliability.Patience;
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
 * How long it takes from a reviewer's approval until the client that waits for it has read the result, less the tool's own
 * time. An approval and an answer are each durable before anybody is told, so the disk's own sync is measured in between;
 * with the data in memory what is left is Gavel's own.
 */
final class ApprovalTimes {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int WARM_UP = 100;
    private static final int MOST_AT_ONCE = 500;
    private static final int CROWDS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PACE = Duration.ofMillis(3);
    private static final double MILLIS = 1e6;

    /** A fulfilment and an answer. */
    private static final int SYNCS = 2;

    private final int approvals;
    private final boolean inMemoryToo;
    private final Table table;

    /**
     * Ready to measure.
     *
     * @param inMemoryToo whether once more with the data in memory
     */
    ApprovalTimes(int approvals, boolean inMemoryToo, Table table) {
        this.approvals = approvals;
        this.inMemoryToo = inMemoryToo;
        this.table = table;
    }

    /** What a client has read in the end, and when. */
    private record End(long at, String answer) {
        long toolNanos() {
            if (!Rpc.isDone(answer)) {
                throw new LoadFailure("an approved call was not run: " + answer);
            }
            return Long.parseLong(Rpc.text(answer.substring(answer.indexOf("\"result\":")), "text"));
        }
    }

    /** Measures, prints, and says what came out with the data on disk. */
    McpSummary.Approvals run(Workbench workbench) throws IOException, InterruptedException {
        table.head(
                "from an approval to the client's result, less the tool's time",
                "p50, ms",
                "p90",
                "p99",
                "a permitted call, p50",
                "p90",
                "p99",
                "one sync of the disk, p50",
                "p90",
                "p99",
                "p50 less a permitted call and two syncs");
        McpSummary.Approvals onDisk = measure("data on disk", workbench, workbench.directory());
        if (inMemoryToo && Files.isWritable(MEMORY)) {
            try (Workbench inMemory = Workbench.open(MEMORY)) {
                var _ = measure("data in memory", workbench, inMemory.directory());
            }
        }
        return onDisk;
    }

    private McpSummary.Approvals measure(String name, Workbench workbench, Path directory)
            throws IOException, InterruptedException {
        Samples times = new Samples();
        Samples permitted = new Samples();
        Stage stage = Stage.open(workbench, directory.resolve("approvals"));
        int crowd = Math.min(approvals, MOST_AT_ONCE);
        for (int i = 0; i < CROWDS; i++) {
            try (Reviewer reviewer = stage.reviewer()) {
                Crowd.comeAndGo(stage, reviewer, crowd);
            }
        }
        try (HttpCaller client = stage.join("proposer");
                HttpCaller caller = stage.join("caller");
                Reviewer reviewer = stage.reviewer();
                DiskSync sync = new DiskSync(directory);
                ExecutorService reading = Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().factory())) {
            for (int i = -WARM_UP; i < approvals; i++) {
                sync.once();
                long direct = permitted(i + WARM_UP, caller);
                long nanos = one(i + WARM_UP + 10, client, reviewer, reading);
                if (i >= 0) {
                    times.add(nanos);
                    permitted.add(direct);
                }
            }
            table.row(
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
            return new McpSummary.Approvals(
                    times.median(),
                    times.percentile(99),
                    permitted.percentile(99),
                    sync.samples().median());
        } finally {
            stage.gavel().stop();
        }
    }

    /** The same way to the tool and back, without anybody's approval and without the ledger. */
    private static long permitted(int id, HttpCaller caller) throws IOException, InterruptedException {
        Thread.sleep(PACE);
        long start = System.nanoTime();
        End read = new End(0, caller.ask(Rpc.call(id + 10, Stage.PIPE_TOOL)));
        return System.nanoTime() - start - read.toolNanos();
    }

    private static long one(int id, HttpCaller client, Reviewer reviewer, ExecutorService reading)
            throws IOException, InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<End> end = CompletableFuture.supplyAsync(() -> call(id, client, waits), reading);
        String proposal = reviewer.next();
        // Only who waits is measured: the client has been told how its call stands.
        if (!waits.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new LoadFailure("the client was not told that its call waits");
        }
        Thread.sleep(PACE);
        long start = System.nanoTime();
        reviewer.approve(proposal);
        End read = Patience.need("result of an approved call", PATIENCE, end);
        return read.at() - start - read.toolNanos();
    }

    private static End call(int id, HttpCaller client, CountDownLatch waits) {
        End[] last = {new End(0, "")};
        try {
            client.post(Rpc.patientCall(id, Stage.PIPE_TOOL), message -> {
                last[0] = new End(System.nanoTime(), message);
                waits.countDown();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return last[0];
    }

    private static String millis(long nanos) {
        return Table.number(nanos / MILLIS, 2);
    }
}
