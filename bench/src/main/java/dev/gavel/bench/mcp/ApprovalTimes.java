package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
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
    private static final int CROWD = 500;
    private static final int CROWDS = Integer.getInteger("warm", 10);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PACE = Duration.ofMillis(3);
    private static final double MILLIS = 1e6;

    /** A fulfilment and an answer. */
    private static final int SYNCS = 2;

    private final int approvals;
    private final Table table;

    ApprovalTimes(int approvals, Table table) {
        this.approvals = approvals;
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

    void run(Workbench workbench) throws IOException, InterruptedException {
        table.head(
                "from an approval to the client's result, less the tool's time",
                "p50, ms",
                "p99, ms",
                "one sync of the disk, p50, ms",
                "p99, ms",
                "p50 to two syncs",
                "p99 less two syncs' p50, ms");
        measure("data on disk", workbench, workbench.directory());
        if (Files.isWritable(MEMORY)) {
            try (Workbench inMemory = Workbench.open(MEMORY)) {
                measure("data in memory", workbench, inMemory.directory());
            }
        }
    }

    private void measure(String name, Workbench workbench, Path directory) throws IOException, InterruptedException {
        Samples times = new Samples();
        Stage stage = Stage.open(workbench, directory.resolve("approvals"));
        try (HttpCaller client = stage.join("proposer");
                Reviewer reviewer = stage.reviewer();
                DiskSync sync = new DiskSync(directory);
                ExecutorService reading =
                        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory())) {
            for (int i = 0; i < CROWDS; i++) {
                Crowd.comeAndGo(stage, reviewer, CROWD);
            }
            for (int i = -WARM_UP; i < approvals; i++) {
                sync.once();
                long nanos = one(i + WARM_UP + 10, client, reviewer, reading);
                if (i >= 0) {
                    times.add(nanos);
                }
            }
            long two = SYNCS * sync.samples().median();
            table.row(
                    name,
                    millis(times.median()),
                    "**" + millis(times.percentile(99)) + "**",
                    millis(sync.samples().median()),
                    millis(sync.samples().percentile(99)),
                    Table.number((double) times.median() / two, 2),
                    millis(times.percentile(99) - two));
        } finally {
            stage.gavel().stop();
        }
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
