package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.reliability.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Clients whose calls wait for approval, each with a connection and a virtual thread of its own; a few share a session. Used
 * by one thread.
 */
final class Crowd implements AutoCloseable {
    private static final int SESSIONS = 10;
    private static final int AT_ONCE = 200;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Stage stage;
    private final int size;
    private final List<HttpCaller> clients = new ArrayList<>();
    private final Semaphore beginning = new Semaphore(AT_ONCE);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();

    Crowd(Stage stage, int size) {
        this.stage = stage;
        this.size = size;
    }

    /** Has so many wait, and all be approved: the server has done it all before when it is measured. */
    static void comeAndGo(Stage stage, Reviewer reviewer, int size) throws IOException, InterruptedException {
        try (Crowd crowd = new Crowd(stage, size)) {
            crowd.gather(reviewer);
            crowd.release(reviewer);
        }
    }

    /** Has all call, and returns when all have been told that they wait. */
    void gather(Reviewer reviewer) throws IOException, InterruptedException {
        List<String> sessions = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            beginning.acquire();
            HttpCaller client =
                    i < SESSIONS ? stage.join("proposer") : stage.again("proposer", sessions.get(i % SESSIONS));
            clients.add(client);
            if (i < SESSIONS) {
                sessions.add(client.session());
            }
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

    private void need(String what, BooleanSupplier so) throws InterruptedException {
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
