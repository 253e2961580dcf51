package dev.gavel.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares what another process reads from a ledger with what this process decided. */
class UnpublishedEventReaderTest {
    @TempDir
    Path directory;

    private ProposalStoreFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ProposalStoreFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private record Told(
            List<String> sent,
            List<AppliedProposalEvent> changes,
            List<InMemoryPendingProposal> inMemoryPendingProposals,
            long seq) {}

    private static Told all(UnpublishedEventReader unpublishedEventReader, long from, long until) {
        List<String> sent = new ArrayList<>();
        List<AppliedProposalEvent> changes = new ArrayList<>();
        List<InMemoryPendingProposal> inMemoryPendingProposals = new ArrayList<>();
        long seq = from;
        while (true) {
            ProposalStoreResult.Committed committed =
                    unpublishedEventReader.after(seq, until).orElseThrow();
            if (committed.lastSeq() == seq) {
                return new Told(sent, changes, inMemoryPendingProposals, seq);
            }
            assertThat(committed.firstSeq()).isEqualTo(seq + 1);
            committed.messages().forEach(message -> sent.add(ProposalStoreFixture.text(message)));
            changes.addAll(committed.changes());
            inMemoryPendingProposals.addAll(committed.trackedProposals());
            seq = committed.lastSeq();
        }
    }

    @Test
    void whatIsReadSaysWhatWasSaidWhenItWasDecided() {
        String first = fixture.propose();
        String second = fixture.propose("bob");
        fixture.remark("alice", "status", "{'status':'considering'}", List.of(first));
        fixture.fulfil("alice", first);
        fixture.answer("f-4");
        fixture.remark("agent", "withdraw", "{}", List.of(second));
        Told told = all(fixture.proposalStore.unpublishedEventReader(), 0, Long.MAX_VALUE);
        assertThat(told.sent()).isEqualTo(fixture.sent);
        assertThat(told.inMemoryPendingProposals()).containsAll(fixture.inMemoryPendingProposals.values());
        assertThat(told.changes())
                .extracting(change -> change.after().state().label())
                .containsExactly("open", "open", "open", "fulfilled", "fulfilled", "withdrawn");
    }

    @Test
    void whatOneEnvelopeCausedIsNotDividedWhereverReadingIsToEnd() {
        List<String> ids = new ArrayList<>();
        IntStream.range(0, 5).forEach(i -> ids.add(fixture.propose()));
        fixture.remark("alice", "reject", "{'reason':'policy'}", ids);
        Told told = all(fixture.proposalStore.unpublishedEventReader(), 0, 7);
        assertThat(told.sent()).isEqualTo(fixture.sent);
        assertThat(told.seq()).isEqualTo(15);
    }

    @Test
    void nothingIsReadBeyondWhereItIsToEnd() {
        fixture.propose();
        fixture.propose();
        fixture.propose();
        assertThat(all(fixture.proposalStore.unpublishedEventReader(), 0, 2).seq())
                .isEqualTo(2);
    }

    @Test
    void whatWasNotedIsNotReadAgain() {
        UnpublishedEventReader unpublishedEventReader = fixture.proposalStore.unpublishedEventReader();
        String id = fixture.propose();
        List<AppliedProposalEvent> known =
                all(unpublishedEventReader, 0, Long.MAX_VALUE).changes();
        ProposalStoreResult.Committed fulfilled = (ProposalStoreResult.Committed) fixture.fulfil("alice", id);
        unpublishedEventReader.cacheChanges(fulfilled.changes());
        fixture.answer("f-2");
        assertThat(known).hasSize(1);
        assertThat(all(unpublishedEventReader, 2, Long.MAX_VALUE).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.after().fulfilment()).isNotNull());
    }

    @Test
    void whatWasReadInVainIsNotCountedTwice() {
        String unknown = fixture.propose();
        String known = fixture.propose();
        AtomicBoolean away = new AtomicBoolean();
        UnpublishedEventReader unpublishedEventReader = fixture.tail(failing(away));
        assertThat(all(unpublishedEventReader, 1, Long.MAX_VALUE).changes()).hasSize(1);
        fixture.remark("alice", "status", "{'status':'considering'}", List.of(known));
        fixture.remark("alice", "status", "{'status':'considering'}", List.of(unknown));
        away.set(true);
        assertThatThrownBy(() -> unpublishedEventReader.after(2, Long.MAX_VALUE))
                .isInstanceOf(LedgerException.class);
        away.set(false);
        assertThat(all(unpublishedEventReader, 2, Long.MAX_VALUE).changes())
                .extracting(change -> change.after().timeline().size())
                .containsExactly(2, 2);
    }

    /** The ledger, but its histories cannot be read while {@code away} is set. */
    private LedgerReader failing(AtomicBoolean away) {
        return (LedgerReader) Proxy.newProxyInstance(
                LedgerReader.class.getClassLoader(), new Class<?>[] {LedgerReader.class}, (self, method, arguments) -> {
                    if (method.getName().equals("history") && away.get()) {
                        throw new LedgerException("away");
                    }
                    return method.invoke(fixture.ledger, arguments);
                });
    }

    @Test
    void whatPassedUnnoticedIsReadFromItsBeginning() {
        UnpublishedEventReader unpublishedEventReader = fixture.proposalStore.unpublishedEventReader();
        String id = fixture.propose();
        fixture.fulfil("alice", id);
        fixture.answer("f-2");
        assertThat(all(unpublishedEventReader, 2, Long.MAX_VALUE).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.after().timeline()).hasSize(3));
    }
}
