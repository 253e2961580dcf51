package dev.gavel.ledger.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // some tasks only have to be there
class FairExecutorTest {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private FairExecutor executor = FairExecutor.start("test-fair-", 1, 3);

    @AfterEach
    void stop() {
        gate.countDown();
        executor.shutdown();
    }

    private void waitForGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Submits a task that occupies a thread until the gate opens, and waits until it has started. */
    private CompletableFuture<Void> block(String owner) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<Void> result = executor.submit(owner, () -> {
            started.countDown();
            waitForGate();
            return null;
        });
        started.await();
        return result;
    }

    private QueuedResult<Boolean> submit(String owner, String name) {
        return executor.submit(owner, () -> ran.add(name));
    }

    @Test
    void ownersTakeTurns() throws Exception {
        block("agent");
        submit("agent", "agent 1");
        CompletableFuture<?> last = submit("agent", "agent 2");
        submit("alice", "alice 1");
        executor.execute(() -> ran.add("server"));

        gate.countDown();
        last.get(30, TimeUnit.SECONDS);

        assertThat(ran).containsExactly("alice 1", "server", "agent 1", "agent 2");
    }

    @Test
    void anOwnerLeavesOneThreadToTheOthers() throws Exception {
        executor.shutdown();
        executor = FairExecutor.start("test-fair-", 2, 3);
        block("agent");
        CompletableFuture<?> second = submit("agent", "agent 2");

        submit("alice", "alice 1").get(30, TimeUnit.SECONDS);

        assertThat(second).isNotDone();
        gate.countDown();
        second.get(30, TimeUnit.SECONDS);
    }

    @Test
    void anOwnerWithTooManyPendingTasksIsRefusedAndOthersAreNot() throws Exception {
        CompletableFuture<Void> first = block("agent");
        submit("agent", "2");
        submit("agent", "3");

        assertThat(submit("agent", "4"))
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(TooManyTasksException.class);
        CompletableFuture<?> other = submit("alice", "alice");
        executor.execute("agent", () -> ran.add("unbounded"));

        gate.countDown();
        first.get(30, TimeUnit.SECONDS);
        other.get(30, TimeUnit.SECONDS);
        submit("agent", "5").get(30, TimeUnit.SECONDS);
        assertThat(ran).contains("alice", "unbounded", "5").doesNotContain("4");
    }

    @Test
    void anAsynchronousTaskCountsUntilItHasEndedAndUsesNoThread() throws Exception {
        CompletableFuture<String> later = new CompletableFuture<>();
        QueuedResult<String> result = executor.submitAsync("agent", () -> later);
        executor.submitAsync("agent", () -> later);
        executor.submitAsync("agent", () -> later);
        submit("alice", "alice").get(30, TimeUnit.SECONDS);

        assertThat(submit("agent", "refused")).isCompletedExceptionally();
        later.complete("done");

        assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo("done");
        submit("agent", "accepted").get(30, TimeUnit.SECONDS);
    }

    @Test
    void cancellingADerivedResultDropsTheWaitingTask() throws Exception {
        block("agent");
        QueuedResult<Boolean> dropped = submit("agent", "dropped");
        CompletableFuture<String> derived = dropped.thenApply(String::valueOf).thenApply(String::strip);
        submit("agent", "3");

        assertThat(derived.cancel(false)).isTrue();

        assertThat(dropped).isCancelled();
        assertThat(derived).isCompletedExceptionally();
        CompletableFuture<?> next = submit("agent", "4");
        gate.countDown();
        next.get(30, TimeUnit.SECONDS);
        assertThat(ran).containsExactly("3", "4");
    }

    @Test
    void aTaskThatHasStartedRunsToItsEnd() throws Exception {
        CompletableFuture<Void> running = block("agent");

        assertThat(running.cancel(true)).isFalse();

        assertThat(running).isNotDone();
        gate.countDown();
        running.get(30, TimeUnit.SECONDS);
    }

    @Test
    void afterAShutdownAcceptedTasksAreFinishedAndNewOnesRefused() throws Exception {
        block("agent");
        CompletableFuture<?> accepted = submit("agent", "accepted");

        executor.shutdown();

        assertThat(submit("agent", "refused")).isCompletedExceptionally();
        assertThatThrownBy(() -> executor.execute(() -> ran.add("refused")))
                .isInstanceOf(RejectedExecutionException.class);
        gate.countDown();
        accepted.get(30, TimeUnit.SECONDS);
        assertThat(ran).containsExactly("accepted");
    }

    @Test
    void aFailedTaskFailsItsResultAndTheThreadGoesOn() throws Exception {
        QueuedResult<Object> failed = executor.submit("agent", () -> {
            throw new IllegalStateException("broken");
        });

        assertThat(failed).failsWithin(30, TimeUnit.SECONDS).withThrowableThat().withMessageContaining("broken");
        executor.execute(() -> {
            throw new IllegalStateException("broken");
        });
        submit("agent", "next").get(30, TimeUnit.SECONDS);
    }
}
