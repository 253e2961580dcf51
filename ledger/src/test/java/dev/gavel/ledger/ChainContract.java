package dev.gavel.ledger;

import static dev.gavel.ledger.Samples.START;
import static dev.gavel.ledger.Samples.append;
import static dev.gavel.ledger.Samples.ended;
import static dev.gavel.ledger.Samples.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gavel.ledger.audit.Audit;
import dev.gavel.ledger.audit.Audited;
import dev.gavel.ledger.audit.Noted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How every store of a ledger chains its events, whatever database is behind it. */
public abstract class ChainContract {
    private LedgerStore store;

    /** An empty store, or the one of this test opened anew, which has kept what was written. */
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
        assertThat(store.chain("ops", Long.MIN_VALUE, 10, 1000)).isEqualTo(ChainPage.EMPTY);
        assertThat(store.lostStreams()).isZero();
    }

    @Test
    void eachEventFollowsFromTheOneBeforeWhateverBatchItWasWrittenIn() throws Exception {
        write(event("ops", 1, "p1"), event("seps", 1, "p1"), event("ops", 2, "p2"));
        write(event("ops", 3, "p1"));
        store.close();
        store = open();
        write(event("seps", 2, "p2"), event("ops", 4, "p2"));
        Hash ops = expected("ops", 4);
        assertThat(store.chain("ops", Long.MIN_VALUE, 10, 1000).head()).isEqualTo(ops);
        assertThat(verified("ops").head()).isEqualTo(ops);
        assertThat(verified("ops").last()).isEqualTo(4);
        assertThat(verified("ops").events()).isEqualTo(4);
        assertThat(verified("seps").head()).isEqualTo(expected("seps", 2));
        assertThat(exported("ops").getLast().hash()).isEqualTo(ops);
    }

    @Test
    void anyNameAndAnyBodyCanBeVerified() {
        String stream = "system:identities=1 ☂'\"";
        Event odd = new Event(stream, 1, Instant.MAX, "ü\n", "", "a\u0000b", null, Body.of(new byte[] {0, -1, 10, 13}));
        write(odd, event(stream, 2, "x"));
        assertThat(verified(stream).events()).isEqualTo(2);
    }

    @Test
    void whatWasNotWrittenLeavesNoTraceInTheChain() {
        write(event("ops", 1, "p1"));
        Event again = new Event("ops", 3, START, "p2", "proposed", "agent", "ops-1", Body.of("{}"));
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
            ChainPage page = store.chain("ops", next, 10, Long.MAX_VALUE);
            page.links().forEach(link -> seqs.add(link.seq()));
            next = page.next();
            pages++;
        }
        assertThat(pages).isEqualTo(3);
        assertThat(seqs).hasSize(25).isSorted().doesNotHaveDuplicates();
        assertThat(store.chain("ops", Long.MIN_VALUE, 10, 1).links()).hasSize(1);
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
        Audited after = verified("ops");
        assertThat(after.events()).isEqualTo(5);
        assertThat(after.forgotten()).isEqualTo(6);
        assertThat(after.last()).isEqualTo(11);
        assertThat(verified("ops", new Noted("ops", 8, known(head))))
                .extracting(Audited::noted)
                .isEqualTo(List.of(new Noted.Checked(new Noted("ops", 8, known(head)), Noted.Result.RIGHT)));
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
        Audited empty = verified("ops");
        assertThat(empty.events()).isZero();
        assertThat(empty.forgotten()).isEqualTo(4);
        assertThat(empty.head()).isEqualTo(head);
        Event next = event("ops", 5, "p1");
        write(next);
        assertThat(verified("ops").head()).isEqualTo(Chain.next(head, 5, Chain.digest(next)));
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
        Noted kept = new Noted("ops", 1, hashes.get(0));
        Noted inside = new Noted("ops", 2, hashes.get(1));
        Noted link = new Noted("ops", 3, hashes.get(2));
        Noted other = new Noted("ops", 4, hashes.get(2));
        Noted beyond = new Noted("ops", 7, hashes.get(3));
        Audited audited = Audit.verify(store, "ops", List.of(kept, inside, link, other, beyond), () -> {});
        assertThat(audited.noted())
                .containsExactlyInAnyOrder(
                        new Noted.Checked(kept, Noted.Result.RIGHT),
                        new Noted.Checked(inside, Noted.Result.FORGOTTEN),
                        new Noted.Checked(link, Noted.Result.RIGHT),
                        new Noted.Checked(other, Noted.Result.WRONG),
                        new Noted.Checked(beyond, Noted.Result.WRONG));
        assertThat(audited.findings()).hasSize(2);
        assertThat(audited.findings().getFirst().detail())
                .contains(hashes.get(2).toString());
    }

    @Test
    void anExportSaysWhatTheEventAfterAForgottenOneFollows() {
        for (int seq = 1; seq <= 3; seq++) {
            write(event("ops", seq, "p" + seq));
        }
        List<Exported> before = exported("ops");
        end(4, 2, 1);
        prune(2);
        List<Exported> after = exported("ops");
        assertThat(after).hasSize(2);
        assertThat(after.getFirst()).isEqualTo(before.getFirst());
        assertThat(after.getLast().event()).isEqualTo(before.getLast().event());
        assertThat(after.getLast().follows()).isEqualTo(before.get(1).hash());
    }

    private void write(Event... events) {
        List<Event> all = List.of(events);
        assertThat(store.write(
                        Set.copyOf(all.stream().map(Event::stream).toList()),
                        reader ->
                                new Batch(all, all.stream().map(Samples::opened).toList())))
                .isEqualTo(new Commit.Done());
    }

    private void end(long seq, int subject, int second) {
        Event event = event("ops", seq, "p" + subject);
        append(store, event, ended(event, START.plusSeconds(second)));
    }

    private void prune(int second) {
        store.prune(START.plusSeconds(second), 100);
    }

    private Hash expected(String stream, long upTo) {
        Hash hash = Chain.START;
        for (Exported each : exported(stream)) {
            if (each.event().seq() <= upTo) {
                hash = Chain.next(hash, each.event().seq(), Chain.digest(each.event()));
            }
        }
        return hash;
    }

    private List<Exported> exported(String stream) {
        List<Exported> all = new ArrayList<>();
        store.export(each -> {
            if (each.event().stream().equals(stream)) {
                all.add(each);
            }
        });
        return all;
    }

    private List<String> forgotten() {
        return store.chain("ops", Long.MIN_VALUE, 100, Long.MAX_VALUE).links().stream()
                .filter(Link.Forgotten.class::isInstance)
                .map(Link.Forgotten.class::cast)
                .map(run -> run.seq() + "-" + run.last())
                .toList();
    }

    private Audited verified(String stream, Noted... noted) {
        Audited audited = Audit.verify(store, stream, List.of(noted), () -> {});
        assertThat(audited.findings()).isEmpty();
        return audited;
    }

    private static Hash known(@Nullable Hash hash) {
        if (hash == null) {
            throw new AssertionError("no hash");
        }
        return hash;
    }
}
