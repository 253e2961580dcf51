package dev.gavel.bench.mcp;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ConditionWaiter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Tool calls that wait for approval at the same time, each on its own HTTP connection and virtual thread. */
final class ConnectedWaitingCalls implements WaitingCalls {
    private static final int SESSIONS = 10;
    private static final int AT_ONCE = 200;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final McpBenchEnvironment mcpBenchEnvironment;
    private final int size;
    private final boolean sessions;
    private final List<BenchHttpMcpClient> clients = new ArrayList<>();
    private final Semaphore startPermits = new Semaphore(AT_ONCE);
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final AtomicInteger completedCount = new AtomicInteger();
    private final AtomicInteger failedCount = new AtomicInteger();

    /**
     * Creates the calls; {@link #startAll} sends them.
     *
     * @param sessions whether to use the MCP version with sessions
     */
    ConnectedWaitingCalls(McpBenchEnvironment mcpBenchEnvironment, int size, boolean sessions) {
        this.mcpBenchEnvironment = mcpBenchEnvironment;
        this.size = size;
        this.sessions = sessions;
    }

    /** Lets this many calls wait and approves all of them, so that the server is warmed up before the measurement. */
    static void warmUp(McpBenchEnvironment mcpBenchEnvironment, ApprovingReviewer reviewer, int size)
            throws IOException, InterruptedException {
        try (ConnectedWaitingCalls connectedWaitingCalls = new ConnectedWaitingCalls(mcpBenchEnvironment, size, true)) {
            connectedWaitingCalls.startAll(reviewer);
            connectedWaitingCalls.approveAll(reviewer);
        }
    }

    @Override
    public void startAll(ApprovingReviewer reviewer) throws IOException, InterruptedException {
        for (int i = 0; i < size; i++) {
            startPermits.acquire();
            BenchHttpMcpClient client = connect(i);
            clients.add(client);
            int id = i + 10;
            Thread.ofVirtual().start(() -> call(client, id));
        }
        require("all of them wait", () -> waitingCount.get() == size && reviewer.pendingCount() == size);
    }

    private BenchHttpMcpClient connect(int number) throws IOException {
        if (!sessions) {
            return mcpBenchEnvironment.openStateless("proposer");
        }
        return number < SESSIONS
                ? mcpBenchEnvironment.openSession("proposer")
                : mcpBenchEnvironment.openConnection(
                        "proposer", clients.get(number % SESSIONS).sessionId());
    }

    private void call(BenchHttpMcpClient client, int id) {
        boolean[] flags = {false, false};
        String call = sessions
                ? BenchRpcMessages.callWithProgress(id, McpBenchEnvironment.PIPE_TOOL)
                : BenchRpcMessages.statelessCall(id, McpBenchEnvironment.PIPE_TOOL);
        try {
            client.post(call, message -> {
                if (!flags[0]) {
                    flags[0] = true;
                    waitingCount.incrementAndGet();
                    startPermits.release();
                }
                flags[1] |= BenchRpcMessages.isSuccessfulResult(message);
            });
        } catch (IOException _) {
            // The missing result is counted below.
        }
        (flags[1] ? completedCount : failedCount).incrementAndGet();
    }

    @Override
    public void approveAll(ApprovingReviewer reviewer) throws IOException, InterruptedException {
        reviewer.approveAll(size);
        require("all of them have results", () -> completedCount.get() == size);
    }

    private void require(String what, BooleanSupplier condition) throws InterruptedException {
        if (!ConditionWaiter.waitUntil(LONG, () -> failedCount.get() > 0 || condition.getAsBoolean())
                || failedCount.get() > 0) {
            throw new RunFailedException("expected that of " + size + " calls " + what + ", but " + waitingCount
                    + " waited, " + completedCount + " had a result and " + failedCount + " failed");
        }
    }

    @Override
    public void close() throws IOException {
        for (BenchHttpMcpClient client : clients) {
            client.close();
        }
    }
}
