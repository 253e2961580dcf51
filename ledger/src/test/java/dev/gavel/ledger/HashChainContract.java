package dev.gavel.ledger;

import static dev.gavel.ledger.SampleEvents.START;
import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.ended;
import static dev.gavel.ledger.SampleEvents.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gavel.ledger.audit.HashChainVerifier;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.audit.TrustedHead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the hash chain, pruning and verification that every ledger store backend must pass. */
public abstract class HashChainContract {
    private LedgerStore store;

    /** Opens an empty store at the first call, and the same store with its content at further calls. */
    protected abstract LedgerStore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void aStreamNothingWasWrittenToHasAnEmptyChain() {
        assertThat(store.chainPage("ops", Long.MIN_VALUE, 10, 1000)).isEqualTo(HashChainPage.EMPTY);
        assertThat(store.missingStreamCount()).isZero();
    }

    @Test
    void eachEventFollowsFromTheOneBeforeWhateverBatchItWasWrittenIn() throws Exception {
        write(event("ops", 1, "p1"), event("seps", 1, "p1"), event("ops", 2, "p2"));
        write(event("ops", 3, "p1"));
        store.close();
        store = open();
        write(event("seps", 2, "p2"), event("ops", 4, "p2"));
        Hash ops = expected("ops", 4);
        assertThat(store.chainPage("ops", Long.MIN_VALUE, 10, 1000).head()).isEqualTo(ops);
        assertThat(verified("ops").head()).isEqualTo(ops);
        assertThat(verified("ops").lastSeq()).isEqualTo(4);
        assertThat(verified("ops").events()).isEqualTo(4);
        assertThat(verified("seps").head()).isEqualTo(expected("seps", 2));
        assertThat(exported("ops").getLast().hash()).isEqualTo(ops);
    }

    @Test
    void anyNameAndAnyBodyCanBeVerified() {
        String stream = "system:identities=1 ☂'\"";
        LedgerEvent odd = new LedgerEvent(
                stream, 1, Instant.MAX, "ü\n", "", "a\u0000b", null, LedgerBody.of(new byte[] {0, -1, 10, 13}));
        write(odd, event(stream, 2, "x"));
        assertThat(verified(stream).events()).isEqualTo(2);
    }

    @Test
    void whatWasNotWrittenLeavesNoTraceInTheChain() {
        write(event("ops", 1, "p1"));
        LedgerEvent again = new LedgerEvent("ops", 3, START, "p2", "proposed", "agent", "ops-1", LedgerBody.of("{}"));
        assertThatIllegalArgumentException().isThrownBy(() -> write(event("ops", 2, "p2"), again));
        write(event("ops", 2, "p2"));
        assertThat(verified("ops").head()).isEqualTo(expected("ops", 2));
    }

    @Test
    void aChainIsReadPageByPage() {
        for (int seq = 1; seq <= 25; seq++) {
            write(event("ops", seq, "p" + seq));
        }
        List<Long> seqs = new ArrayList<>();
        @Nullable Long next = Long.MIN_VALUE;
        int pages = 0;
        while (next != null) {
            HashChainPage page = store.chainPage("ops", next, 10, Long.MAX_VALUE);
            page.entries().forEach(chainEntry -> seqs.add(chainEntry.seq()));
            next = page.nextAfter();
            pages++;
        }
        assertThat(pages).isEqualTo(3);
        assertThat(seqs).hasSize(25).isSorted().doesNotHaveDuplicates();
        assertThat(store.chainPage("ops", Long.MIN_VALUE, 10, 1).entries()).hasSize(1);
    }

    @Test
    void afterPruningTheChainIsStillSoundAndKeepsTheLastHashAlone() {
        for (int seq = 1; seq <= 8; seq++) {
            write(event("ops", seq, "p" + seq));
        }
        Hash head = verified("ops").head();
        end(9, 2, 1);
        end(10, 4, 3);
        end(11, 3, 2);
        prune(2);
        assertThat(forgotten()).containsExactly("2-2", "9-9");
        prune(4);
        assertThat(forgotten()).containsExactly("2-4", "9-11");
        StreamAuditResult after = verified("ops");
        assertThat(after.events()).isEqualTo(5);
        assertThat(after.prunedEvents()).isEqualTo(6);
        assertThat(after.lastSeq()).isEqualTo(11);
        assertThat(verified("ops", new TrustedHead("ops", 8, known(head))))
                .extracting(StreamAuditResult::comparedHeads)
                .isEqualTo(List.of(
                        new TrustedHead.Comparison(new TrustedHead("ops", 8, known(head)), TrustedHead.Result.RIGHT)));
        write(event("ops", 12, "p12"));
        assertThat(verified("ops").events()).isEqualTo(6);
    }

    @Test
    void whenEverythingIsForgottenTheChainGoesOn() {
        for (int seq = 1; seq <= 3; seq++) {
            write(event("ops", seq, "p1"));
        }
        end(4, 1, 1);
        Hash head = known(verified("ops").head());
        prune(2);
        assertThat(forgotten()).containsExactly("1-4");
        StreamAuditResult empty = verified("ops");
        assertThat(empty.events()).isZero();
        assertThat(empty.prunedEvents()).isEqualTo(4);
        assertThat(empty.head()).isEqualTo(head);
        LedgerEvent next = event("ops", 5, "p1");
        write(next);
        assertThat(verified("ops").head())
                .isEqualTo(HashChainCalculator.nextHash(head, 5, HashChainCalculator.digest(next)));
    }

    @Test
    void aNotedEndIsRightWrongOrForgotten() {
        for (int seq = 1; seq <= 4; seq++) {
            write(event("ops", seq, "p" + seq));
        }
        List<Hash> hashes =
                exported("ops").stream().map(each -> known(each.hash())).toList();
        end(5, 2, 1);
        end(6, 3, 1);
        prune(2);
        TrustedHead retained = new TrustedHead("ops", 1, hashes.get(0));
        TrustedHead inside = new TrustedHead("ops", 2, hashes.get(1));
        TrustedHead link = new TrustedHead("ops", 3, hashes.get(2));
        TrustedHead other = new TrustedHead("ops", 4, hashes.get(2));
        TrustedHead beyond = new TrustedHead("ops", 7, hashes.get(3));
        StreamAuditResult streamAuditResult =
                HashChainVerifier.verify(store, "ops", List.of(retained, inside, link, other, beyond), () -> {});
        assertThat(streamAuditResult.comparedHeads())
                .containsExactlyInAnyOrder(
                        new TrustedHead.Comparison(retained, TrustedHead.Result.RIGHT),
                        new TrustedHead.Comparison(inside, TrustedHead.Result.FORGOTTEN),
                        new TrustedHead.Comparison(link, TrustedHead.Result.RIGHT),
                        new TrustedHead.Comparison(other, TrustedHead.Result.WRONG),
                        new TrustedHead.Comparison(beyond, TrustedHead.Result.WRONG));
        assertThat(streamAuditResult.findings()).hasSize(2);
        assertThat(streamAuditResult.findings().getFirst().detail())
                .contains(hashes.get(2).toString());
    }

    @Test
    void anExportSaysWhatTheEventAfterAForgottenOneFollows() {
        for (int seq = 1; seq <= 3; seq++) {
            write(event("ops", seq, "p" + seq));
        }
        List<ExportedEvent> before = exported("ops");
        end(4, 2, 1);
        prune(2);
        List<ExportedEvent> after = exported("ops");
        assertThat(after).hasSize(2);
        assertThat(after.getFirst()).isEqualTo(before.getFirst());
        assertThat(after.getLast().event()).isEqualTo(before.getLast().event());
        assertThat(after.getLast().previousHash()).isEqualTo(before.get(1).hash());
    }

    private void write(LedgerEvent... events) {
        List<LedgerEvent> all = List.of(events);
        assertThat(store.write(
                        Set.copyOf(all.stream().map(LedgerEvent::stream).toList()),
                        reader -> new LedgerBatch(
                                all, all.stream().map(SampleEvents::opened).toList())))
                .isEqualTo(new CommitResult.Committed());
    }

    private void end(long seq, int subject, int second) {
        LedgerEvent event = event("ops", seq, "p" + subject);
        append(store, event, ended(event, START.plusSeconds(second)));
    }

    private void prune(int second) {
        store.prune(START.plusSeconds(second), 100);
    }

    private Hash expected(String stream, long upTo) {
        Hash hash = HashChainCalculator.GENESIS_HASH;
        for (ExportedEvent each : exported(stream)) {
            if (each.event().seq() <= upTo) {
                hash = HashChainCalculator.nextHash(hash, each.event().seq(), HashChainCalculator.digest(each.event()));
            }
        }
        return hash;
    }

    private List<ExportedEvent> exported(String stream) {
        List<ExportedEvent> all = new ArrayList<>();
        store.export(each -> {
            if (each.event().stream().equals(stream)) {
                all.add(each);
            }
        });
        return all;
    }

    private List<String> forgotten() {
        return store.chainPage("ops", Long.MIN_VALUE, 100, Long.MAX_VALUE).entries().stream()
                .filter(HashChainEntry.PrunedRange.class::isInstance)
                .map(HashChainEntry.PrunedRange.class::cast)
                .map(run -> run.seq() + "-" + run.last())
                .toList();
    }

    private StreamAuditResult verified(String stream, TrustedHead... recorded) {
        StreamAuditResult streamAuditResult = HashChainVerifier.verify(store, stream, List.of(recorded), () -> {});
        assertThat(streamAuditResult.findings()).isEmpty();
        return streamAuditResult;
    }

    private static Hash known(@Nullable Hash hash) {
        if (hash == null) {
            throw new AssertionError("no hash");
        }
        return hash;
    }
}
