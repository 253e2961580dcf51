package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.reliability.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Clients that wait, each with a connection and a virtual thread of its own; those with sessions share a few. */
final class Crowd implements Waiting {
    private static final int SESSIONS = 10;
    private static final int AT_ONCE = 200;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Stage stage;
    private final int size;
    private final boolean sessions;
    private final List<HttpCaller> clients = new ArrayList<>();
    private final Semaphore beginning = new Semaphore(AT_ONCE);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();

    /**
     * A crowd that has yet to come.
     *
     * @param sessions whether it speaks the version with sessions
     */
    Crowd(Stage stage, int size, boolean sessions) {
        this.stage = stage;
        this.size = size;
        this.sessions = sessions;
    }

    /** Has so many wait, and all be approved: the server has done it all before when it is measured. */
    static void comeAndGo(Stage stage, Reviewer reviewer, int size) throws IOException, InterruptedException {
        try (Crowd crowd = new Crowd(stage, size, true)) {
            crowd.gather(reviewer);
            crowd.release(reviewer);
        }
    }

    @Override
    public void gather(Reviewer reviewer) throws IOException, InterruptedException {
        for (int i = 0; i < size; i++) {
            beginning.acquire();
            HttpCaller client = connect(i);
            clients.add(client);
            int id = i + 10;
            Thread.ofVirtual().start(() -> call(client, id));
        }
        need("all wait", () -> waiting.get() == size && reviewer.waiting() == size);
    }

    private HttpCaller connect(int number) throws IOException {
        if (!sessions) {
            return stage.stateless("proposer");
        }
        return number < SESSIONS
                ? stage.join("proposer")
                : stage.again("proposer", clients.get(number % SESSIONS).session());
    }

    private void call(HttpCaller client, int id) {
        boolean[] heard = {false, false};
        String call = sessions ? Rpc.patientCall(id, Stage.PIPE_TOOL) : Rpc.statelessCall(id, Stage.PIPE_TOOL);
        try {
            client.post(call, message -> {
                if (!heard[0]) {
                    heard[0] = true;
                    waiting.incrementAndGet();
                    beginning.release();
                }
                heard[1] |= Rpc.isDone(message);
            });
        } catch (IOException _) {
            // That it has no result is counted.
        }
        (heard[1] ? done : broken).incrementAndGet();
    }

    @Override
    public void release(Reviewer reviewer) throws IOException, InterruptedException {
        reviewer.approveAll(size);
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
