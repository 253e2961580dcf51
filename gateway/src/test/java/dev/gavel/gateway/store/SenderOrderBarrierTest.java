package dev.gavel.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a sender's envelopes wait for an earlier one exactly while its arguments are checked. */
class SenderOrderBarrierTest {
    private static final EnvelopeReader READER = new EnvelopeReader(EnvelopeLimits.DEFAULT);

    @TempDir
    private Path directory;

    private final SenderOrderBarrier barrier = new SenderOrderBarrier();
    private final AtomicBoolean failing = new AtomicBoolean();

    @Test
    void onlyLaterEnvelopesWait() {
        barrier.at(5).startWait();
        assertThat(barrier.at(4).mustWait()).isFalse();
        assertThat(barrier.at(5).mustWait()).isFalse();
        assertThat(barrier.at(6).mustWait()).isTrue();
        barrier.at(4).endWait();
        assertThat(barrier.at(6).mustWait()).isTrue();
        barrier.at(5).endWait();
        assertThat(barrier.at(6).mustWait()).isFalse();
    }

    @Test
    void aCheckThatNeverStartsBecauseTheLedgerFailedBlocksNothing() {
        try (ProposalStoreFixture fixture = new ProposalStoreFixture(directory, this::failOnDemand)) {
            String proposal = fixture.propose();
            failing.set(true);
            assertThat(edit(fixture, 1, "f-1", proposal)).isInstanceOf(ProposalStoreResult.Unavailable.class);
            failing.set(false);
            assertThat(edit(fixture, 2, "f-2", proposal)).isInstanceOf(ProposalStoreResult.ArgumentCheckRequired.class);
            assertThat(edit(fixture, 3, "f-3", proposal)).isInstanceOf(ProposalStoreResult.Deferred.class);
        }
    }

    private ProposalStoreResult edit(ProposalStoreFixture fixture, long number, String id, String proposal) {
        String text = """
                {"protocol":"mcpx/v0.1","id":"%s","kind":"mcp.request.tools/call:write","to":["files"],\
                "correlationId":"%s","payload":\
                {"method":"tools/call","params":{"name":"write","arguments":{"path":"edited"}}}}""".formatted(id, proposal);
        Envelope envelope = (Envelope) READER.read(text.getBytes(StandardCharsets.UTF_8));
        CompletableFuture<ProposalStoreResult> result = new CompletableFuture<>();
        fixture.proposalStore.decide(
                new AdmittedEnvelope(envelope, "alice", List.of("files"), fixture.now),
                PresenceSnapshot.of(List.of("agent", "alice", "files")),
                TopicTools.NONE,
                Optional.empty(),
                barrier.at(number),
                result::complete);
        return result.join();
    }

    /** Returns a store that, on demand, decides a batch and then fails to write it, as on a full disk. */
    private LedgerStore failOnDemand(LedgerStore store) {
        return (LedgerStore) Proxy.newProxyInstance(
                LedgerStore.class.getClassLoader(), new Class<?>[] {LedgerStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("write") && failing.get()) {
                        return writeAndFail(store, arguments);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @SuppressWarnings("unchecked") // the types of LedgerStore.write
    private static CommitResult writeAndFail(LedgerStore store, Object[] arguments) {
        Function<LedgerReader, LedgerBatch> decide = (Function<LedgerReader, LedgerBatch>) arguments[1];
        try {
            return store.write((Set<String>) arguments[0], reader -> {
                throw new IllegalStateException(
                        "no space left for " + decide.apply(reader).events().size() + " events");
            });
        } catch (IllegalStateException e) {
            return new CommitResult.Unavailable("no space left");
        }
    }
}
