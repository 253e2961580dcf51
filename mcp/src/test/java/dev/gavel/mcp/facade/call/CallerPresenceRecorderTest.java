package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.ReviewDecisionSubmitter;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcpx.EnvelopeLimits;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CallerPresenceRecorderTest {
    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private final Queue<CompletableFuture<Void>> results = new ConcurrentLinkedQueue<>();

    private final CallerPresenceRecorder recorder = new CallerPresenceRecorder(
            topicCalls(), () -> write("waits"), linger -> write("left for " + linger.map(Duration::toSeconds)));

    private TopicCalls topicCalls() {
        InstantSource clock = InstantSource.system();
        Gateway gateway = new Gateway(
                Map.of("t", new TopicConfig(List.of(), Optional.empty())),
                List.of(loop),
                new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1, 1),
                FairExecutor.unlimited(Runnable::run),
                clock);
        return new TopicCalls(
                gateway.topic("t").orElseThrow(),
                gateway,
                new CatalogRegistry(gateway, clock, _ -> Set.of()),
                new ReviewDecisionSubmitter(gateway, clock),
                clock);
    }

    @AfterEach
    void stop() {
        var _ = loop.shutdownGracefully();
    }

    private CompletableFuture<Void> write(String change) {
        writes.add(change);
        CompletableFuture<Void> result = new CompletableFuture<>();
        results.add(result);
        return result;
    }

    private void run(Runnable action) throws Exception {
        loop.submit(action).get();
    }

    private void complete() throws Exception {
        run(() -> results.remove().complete(null));
    }

    private void fail() throws Exception {
        run(() -> results.remove().completeExceptionally(new LedgerException("unavailable")));
    }

    @Test
    void aFailedWriteIsRepeated() throws Exception {
        run(recorder::recordWaits);
        fail();
        await().until(() -> writes.size() == 2);
        complete();
        assertThat(writes).containsExactly("waits", "waits");
    }

    @Test
    void afterAFailureTheLatestChangeIsWritten() throws Exception {
        run(() -> recorder.recordLeft(Optional.of(Duration.ofSeconds(3))));
        fail();
        run(recorder::recordWaits);
        await().until(() -> writes.size() == 2);
        complete();
        assertThat(writes).containsExactly("left for Optional[3]", "waits");
    }

    @Test
    void aChangeDuringAWriteIsWrittenOnceAfterIt() throws Exception {
        run(() -> recorder.recordLeft(Optional.empty()));
        run(recorder::recordWaits);
        run(recorder::recordWaits);
        assertThat(writes).containsExactly("left for Optional.empty");
        complete();
        complete();
        assertThat(writes).containsExactly("left for Optional.empty", "waits");
    }
}
