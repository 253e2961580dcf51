package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.reliability.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;

/** Calls that were answered with a task: nobody holds a connection for them, and each result is fetched in the end. */
final class TaskCrowd implements Waiting {
    private static final int CLIENTS = 20;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Executor EACH = task -> Thread.ofVirtual().start(task);

    private final List<HttpCaller> clients = new ArrayList<>();
    private final String[] tasks;

    TaskCrowd(Stage stage, int size) throws IOException {
        tasks = new String[size];
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(stage.stateless("proposer"));
        }
    }

    @Override
    public void gather(Reviewer reviewer) throws InterruptedException {
        each("tasks", (client, i) -> {
            String task = Rpc.text(client.ask(Rpc.taskCall(i + 10, Stage.PIPE_TOOL)), "taskId");
            if (task.isEmpty()) {
                throw new LoadFailure("a call was not answered with a task");
            }
            tasks[i] = task;
        });
        Patience.need("the reviewer hears of all", LONG, () -> reviewer.waiting() == tasks.length);
    }

    @Override
    public void release(Reviewer reviewer) throws IOException, InterruptedException {
        reviewer.approveAll(tasks.length);
        each("results", (client, i) -> {
            String answer = client.ask(Rpc.taskGet(i + 10, tasks[i]));
            if (!Rpc.text(answer, "status").equals("completed") || !Rpc.isDone(answer)) {
                throw new LoadFailure("an approved task has no result: " + answer);
            }
        });
    }

    /** Asks something for one task. */
    @FunctionalInterface
    private interface Asking {
        void ask(HttpCaller client, int task) throws IOException;
    }

    /** Does it for all tasks, each client for its share. */
    private void each(String what, Asking asking) throws InterruptedException {
        List<CompletableFuture<Void>> shares = new ArrayList<>();
        IntConsumer share = first -> {
            try {
                for (int i = first; i < tasks.length; i += CLIENTS) {
                    asking.ask(clients.get(first), i);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        for (int i = 0; i < CLIENTS; i++) {
            int first = i;
            shares.add(CompletableFuture.runAsync(() -> share.accept(first), EACH));
        }
        for (CompletableFuture<Void> each : shares) {
            var _ = Patience.need(what, LONG, each);
        }
    }

    @Override
    public void close() throws IOException {
        for (HttpCaller client : clients) {
            client.close();
        }
    }
}
