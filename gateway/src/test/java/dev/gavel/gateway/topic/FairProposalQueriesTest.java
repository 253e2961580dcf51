package dev.gavel.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.ProposalStoreFixture;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.ledger.executor.TooManyTasksException;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeLimits;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the queries of one member do not delay those of the others. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // created before each test
class FairProposalQueriesTest {
    private static final Member AGENT = member("agent");
    private static final Member ALICE = member("alice");

    @TempDir
    private Path directory;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final FairExecutor readers = FairExecutor.start("test-read-", 2, 3);
    private final CountDownLatch gate = new CountDownLatch(1);
    private ProposalStoreFixture store;
    private ProposalQueries queries;

    private static Member member(String id) {
        return new Member(id, CapabilitySet.compile(List.of("*")).orThrow());
    }

    @BeforeEach
    void open() {
        store = new ProposalStoreFixture(directory);
        Gateway gateway = new Gateway(
                Map.of("ops", new TopicConfig(List.of(AGENT, ALICE), Optional.of(store.proposalStore))),
                List.of(loop),
                new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1000, 1000),
                readers,
                InstantSource.system());
        gateway.loadOpenProposals();
        queries = gateway.topic("ops").orElseThrow().proposalQueries().orElseThrow();
    }

    @AfterEach
    void close() {
        gate.countDown();
        readers.shutdown();
        store.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private CompletableFuture<Optional<byte[]>> list(Member member) {
        return queries.listJson(member, Optional.empty(), Optional.empty(), Optional.empty(), 500);
    }

    @Test
    void aMemberWithSlowQueriesWaitsForItsOwnOnlyAndCanDropThem() throws Exception {
        CompletableFuture<Void> slow = readers.submit(AGENT.id(), () -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return null;
        });
        CompletableFuture<Optional<byte[]>> second = list(AGENT);
        CompletableFuture<Optional<byte[]>> third = list(AGENT);

        assertThat(list(AGENT))
                .failsWithin(30, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(TooManyTasksException.class);
        assertThat(list(ALICE).get(30, TimeUnit.SECONDS)).isPresent();
        assertThat(second).isNotDone();
        assertThat(third.cancel(false)).isTrue();
        assertThat(list(AGENT)).isNotCompletedExceptionally();

        gate.countDown();
        slow.get(30, TimeUnit.SECONDS);
        assertThat(second.get(30, TimeUnit.SECONDS)).isPresent();
    }
}
