package dev.gavel.bench.mcp;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ConditionWaiter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;

/** Starts many tool calls as MCP tasks that wait for approval, to measure how much memory each waiting call uses. */
final class TaskWaitingCalls implements WaitingCalls {
    private static final int CLIENTS = 20;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Executor EACH = task -> Thread.ofVirtual().start(task);

    private final List<BenchHttpMcpClient> clients = new ArrayList<>();
    private final String[] tasks;

    TaskWaitingCalls(McpBenchEnvironment mcpBenchEnvironment, int size) throws IOException {
        tasks = new String[size];
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(mcpBenchEnvironment.openStateless("proposer"));
        }
    }

    @Override
    public void startAll(ApprovingReviewer reviewer) throws InterruptedException {
        forEachTask("tasks", (client, i) -> {
            String task = BenchRpcMessages.textField(
                    client.request(BenchRpcMessages.taskCall(i + 10, McpBenchEnvironment.PIPE_TOOL)), "taskId");
            if (task.isEmpty()) {
                throw new RunFailedException("a call was not answered with a task");
            }
            tasks[i] = task;
        });
        ConditionWaiter.require(
                "the reviewer to receive all proposals", LONG, () -> reviewer.pendingCount() == tasks.length);
    }

    @Override
    public void approveAll(ApprovingReviewer reviewer) throws IOException, InterruptedException {
        reviewer.approveAll(tasks.length);
        forEachTask("results", (client, i) -> {
            String answer = client.request(BenchRpcMessages.taskGet(i + 10, tasks[i]));
            if (!BenchRpcMessages.textField(answer, "status").equals("completed")
                    || !BenchRpcMessages.isSuccessfulResult(answer)) {
                throw new RunFailedException("an approved task has no result: " + answer);
            }
        });
    }

    /** Sends a request about one task. */
    @FunctionalInterface
    private interface TaskRequest {
        void send(BenchHttpMcpClient client, int task) throws IOException;
    }

    /** Sends the request for all tasks, which the clients share. */
    private void forEachTask(String what, TaskRequest taskRequest) throws InterruptedException {
        List<CompletableFuture<Void>> shares = new ArrayList<>();
        IntConsumer share = first -> {
            try {
                for (int i = first; i < tasks.length; i += CLIENTS) {
                    taskRequest.send(clients.get(first), i);
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
            var _ = ConditionWaiter.require(what, LONG, each);
        }
    }

    @Override
    public void close() throws IOException {
        for (BenchHttpMcpClient client : clients) {
            client.close();
        }
    }
}
