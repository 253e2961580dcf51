package dev.gavel.gateway.docket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.ledger.LedgerFailure;
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

/** What another process reads of a ledger is held against what was decided here. */
class TailTest {
    @TempDir
    Path directory;

    private DocketRoom room;

    @BeforeEach
    void open() {
        room = new DocketRoom(directory);
    }

    @AfterEach
    void close() {
        room.close();
    }

    private record Told(List<String> sent, List<Change> changes, List<Standing> standings, long seq) {}

    private static Told all(Tail tail, long from, long until) {
        List<String> sent = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        List<Standing> standings = new ArrayList<>();
        long seq = from;
        while (true) {
            Decision.Made made = tail.after(seq, until).orElseThrow();
            if (made.seq() == seq) {
                return new Told(sent, changes, standings, seq);
            }
            assertThat(made.first()).isEqualTo(seq + 1);
            made.messages().forEach(message -> sent.add(DocketRoom.text(message)));
            changes.addAll(made.changes());
            standings.addAll(made.standings());
            seq = made.seq();
        }
    }

    @Test
    void whatIsReadSaysWhatWasSaidWhenItWasDecided() {
        String first = room.propose();
        String second = room.propose("bob");
        room.remark("alice", "status", "{'status':'considering'}", List.of(first));
        room.fulfil("alice", first);
        room.answer("f-4");
        room.remark("agent", "withdraw", "{}", List.of(second));
        Told told = all(room.docket.tail(), 0, Long.MAX_VALUE);
        assertThat(told.sent()).isEqualTo(room.sent);
        assertThat(told.standings()).containsAll(room.standings.values());
        assertThat(told.changes())
                .extracting(change -> change.after().state().word())
                .containsExactly("open", "open", "open", "fulfilled", "fulfilled", "withdrawn");
    }

    @Test
    void whatOneEnvelopeCausedIsNotDividedWhereverReadingIsToEnd() {
        List<String> ids = new ArrayList<>();
        IntStream.range(0, 5).forEach(i -> ids.add(room.propose()));
        room.remark("alice", "reject", "{'reason':'policy'}", ids);
        Told told = all(room.docket.tail(), 0, 7);
        assertThat(told.sent()).isEqualTo(room.sent);
        assertThat(told.seq()).isEqualTo(15);
    }

    @Test
    void nothingIsReadBeyondWhereItIsToEnd() {
        room.propose();
        room.propose();
        room.propose();
        assertThat(all(room.docket.tail(), 0, 2).seq()).isEqualTo(2);
    }

    @Test
    void whatWasNotedIsNotReadAgain() {
        Tail tail = room.docket.tail();
        String id = room.propose();
        List<Change> known = all(tail, 0, Long.MAX_VALUE).changes();
        Decision.Made fulfilled = (Decision.Made) room.fulfil("alice", id);
        tail.note(fulfilled.changes());
        room.answer("f-2");
        assertThat(known).hasSize(1);
        assertThat(all(tail, 2, Long.MAX_VALUE).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.after().fulfilment()).isNotNull());
    }

    @Test
    void whatWasReadInVainIsNotCountedTwice() {
        String unknown = room.propose();
        String known = room.propose();
        AtomicBoolean away = new AtomicBoolean();
        Tail tail = room.tail(failing(away));
        assertThat(all(tail, 1, Long.MAX_VALUE).changes()).hasSize(1);
        room.remark("alice", "status", "{'status':'considering'}", List.of(known));
        room.remark("alice", "status", "{'status':'considering'}", List.of(unknown));
        away.set(true);
        assertThatThrownBy(() -> tail.after(2, Long.MAX_VALUE)).isInstanceOf(LedgerFailure.class);
        away.set(false);
        assertThat(all(tail, 2, Long.MAX_VALUE).changes())
                .extracting(change -> change.after().timeline().size())
                .containsExactly(2, 2);
    }

    /** The ledger, but for histories, which cannot be read while it is away. */
    private LedgerReader failing(AtomicBoolean away) {
        return (LedgerReader) Proxy.newProxyInstance(
                LedgerReader.class.getClassLoader(), new Class<?>[] {LedgerReader.class}, (self, method, arguments) -> {
                    if (method.getName().equals("history") && away.get()) {
                        throw new LedgerFailure("away");
                    }
                    return method.invoke(room.ledger, arguments);
                });
    }

    @Test
    void whatPassedUnnoticedIsReadFromItsBeginning() {
        Tail tail = room.docket.tail();
        String id = room.propose();
        room.fulfil("alice", id);
        room.answer("f-2");
        assertThat(all(tail, 2, Long.MAX_VALUE).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.after().timeline()).hasSize(3));
    }
}
