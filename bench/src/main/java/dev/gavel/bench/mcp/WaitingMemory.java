package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.reliability.Gavel;
import dev.gavel.bench.reliability.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What it costs the server that many calls wait for somebody's approval at once, each on a connection of its own: memory in
 * use after a collection, and memory taken of the machine. In the end all are approved, and every client gets its result.
 */
final class WaitingMemory {
    private static final int SESSIONS = 10;
    private static final int WARM_UP = 500;
    private static final int AT_ONCE = 200;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final double KIB = 1024;

    private final int calls;
    private final Table table;

    WaitingMemory(int calls, Table table) {
        this.calls = calls;
        this.table = table;
    }

    /** What the server takes at a moment. */
    private record Memory(long heap, long resident) {
        static Memory of(Gavel gavel) throws IOException, InterruptedException {
            long heap = gavel.heap();
            return new Memory(heap, gavel.resident());
        }
    }

    void run(Workbench workbench) throws IOException, InterruptedException {
        table.head("calls that wait", "heap in use for each, KiB", "resident for each, KiB", "heap in use after all, to before");
        Stage stage = Stage.open(workbench, workbench.directory().resolve("waiting"));
        try (Reviewer reviewer = stage.reviewer()) {
            List<String> sessions = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                try (HttpCaller client = stage.join("proposer")) {
                    sessions.add(client.session());
                }
            }
            try (Crowd warmUp = new Crowd(stage, sessions, Math.min(calls, WARM_UP))) {
                warmUp.gather(reviewer);
                warmUp.release(reviewer);
            }
            Memory before = Memory.of(stage.gavel());
            try (Crowd crowd = new Crowd(stage, sessions, calls)) {
                crowd.gather(reviewer);
                Memory during = Memory.of(stage.gavel());
                crowd.release(reviewer);
                Memory after = Memory.of(stage.gavel());
                table.row(
                        Table.number(calls, 0),
                        "**" + Table.number((during.heap() - before.heap()) / KIB / calls, 1) + "**",
                        Table.number((during.resident() - before.resident()) / KIB / calls, 1),
                        Table.number((double) after.heap() / before.heap(), 2));
            }
        } finally {
            stage.gavel().stop();
        }
    }

    /** Clients that wait, each with a connection and a virtual thread of its own. */
    private static final class Crowd implements AutoCloseable {
        private final Stage stage;
        private final List<String> sessions;
        private final int size;
        private final List<HttpCaller> clients = new ArrayList<>();
        private final Semaphore beginning = new Semaphore(AT_ONCE);
        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicInteger broken = new AtomicInteger();

        Crowd(Stage stage, List<String> sessions, int size) {
            this.stage = stage;
            this.sessions = sessions;
            this.size = size;
        }

        /** Has all call, and returns when all have been told that they wait. */
        void gather(Reviewer reviewer) throws IOException, InterruptedException {
            for (int i = 0; i < size; i++) {
                beginning.acquire();
                HttpCaller client = stage.again("proposer", sessions.get(i % SESSIONS));
                clients.add(client);
                int id = i + 10;
                Thread.ofVirtual().start(() -> call(client, id));
            }
            need("all wait", () -> waiting.get() == size && reviewer.waiting() == size);
        }

        private void call(HttpCaller client, int id) {
            CountDownLatch first = new CountDownLatch(1);
            boolean[] ran = {false};
            try {
                client.post(Rpc.patientCall(id, Stage.PIPE_TOOL), message -> {
                    if (first.getCount() > 0) {
                        first.countDown();
                        waiting.incrementAndGet();
                        beginning.release();
                    }
                    ran[0] |= Rpc.isDone(message);
                });
            } catch (IOException _) {
                // That it has no result is counted.
            }
            (ran[0] ? done : broken).incrementAndGet();
        }

        /** Approves all, a few at a time, and returns when every client has its result. */
        void release(Reviewer reviewer) throws IOException, InterruptedException {
            for (int approved = 0; approved < size; approved++) {
                int soFar = approved;
                if (soFar % AT_ONCE == 0) {
                    need("what was approved is done", () -> done.get() >= soFar - AT_ONCE);
                }
                reviewer.approve(reviewer.next());
            }
            need("all are done", () -> done.get() == size);
        }

        private void need(String what, java.util.function.BooleanSupplier so) throws InterruptedException {
            if (!Patience.until(LONG, () -> broken.get() > 0 || so.getAsBoolean()) || broken.get() > 0) {
                throw new LoadFailure("of " + size + " calls " + waiting + " came to wait, " + done + " were done and "
                        + broken + " had no result; it was to be that " + what);
            }
        }

        @Override
        public void close() throws IOException {
            for (HttpCaller client : clients) {
                client.close();
            }
        }
    }
}
