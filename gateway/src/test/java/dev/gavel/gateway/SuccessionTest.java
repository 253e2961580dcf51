package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.docket.Decision;
import dev.gavel.gateway.docket.DocketRoom;
import dev.gavel.gateway.docket.Message;
import dev.gavel.gateway.proposal.Presence;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a topic's proposals, and in which order, where nobody can say that they wrote. */
class SuccessionTest {
    @TempDir
    private Path directory;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final List<Long> told = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private DocketRoom room;
    private Succession succession;

    @BeforeEach
    void open() {
        room = new DocketRoom(directory);
        succession = new Succession(room.docket.tail(), loop, Runnable::run, () -> false, new Teller());
    }

    @AfterEach
    void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        room.close();
    }

    private final class Teller implements Succession.Teller {
        @Override
        public void tell(Decision.Made made, boolean elsewhere) {
            made.messages().stream().map(Message::seq).forEach(told::add);
        }

        @Override
        public void wrote(List<Change> changes) {
            done.add("wrote " + changes.size());
        }

        @Override
        public void lost() {
            done.add("lost");
        }
    }

    /** Does something on the loop, and waits until everything is done that it brings about. */
    private void run(Runnable task) {
        loop.submit(task).syncUninterruptibly();
        for (int i = 0; i < 20; i++) {
            loop.submit(() -> {}).syncUninterruptibly();
        }
    }

    private void propose(int count) {
        for (int i = 0; i < count; i++) {
            room.propose();
        }
    }

    private static List<Long> from(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void whatWasSaidBeforeItBeganIsToldWhenItBegins() {
        propose(2);
        run(() -> succession.told(2, 2));
        assertThat(told).isEmpty();
        run(() -> succession.begin(1));
        assertThat(told).containsExactly(2L);
    }

    @Test
    void nothingIsReadBeforeItBegins() {
        propose(3);
        run(() -> succession.seen(3));
        run(() -> succession.begin(3));
        assertThat(told).isEmpty();
    }

    @Test
    void whatWasWrittenWithoutItsAnswerHavingComeIsToldWithWhatIsWrittenNext() {
        run(() -> succession.begin(0));
        String first = room.propose();
        Decision.Made next = (Decision.Made) room.remark("alice", "status", "{'status':'considering'}", List.of(first));
        run(() -> succession.decided(next, () -> done.add("then")));
        assertThat(told).containsExactly(1L, 2L);
        assertThat(done).containsExactly("wrote 1", "then");
    }

    @Test
    void whatIsReadInPartBeforeItComesBackIsToldOnce() {
        propose(60);
        room.presence = Presence.of(List.of("agent"));
        Decision.Made unreachable = (Decision.Made) room.attend();
        assertThat(unreachable.first()).isEqualTo(61);
        assertThat(unreachable.seq()).isEqualTo(120);
        run(() -> succession.begin(0));
        run(() -> succession.decided(unreachable, () -> done.add("then")));
        assertThat(told).isEqualTo(from(1, 120));
        assertThat(done).containsExactly("wrote 60", "then");
    }

    @Test
    void whoWaitsForSomethingIsToldOnceWhenItHasBeenTold() {
        propose(5);
        run(() -> succession.begin(0));
        run(() -> succession.whenTold(3, 60_000, now -> done.add("3 " + now + " " + told.size())));
        run(() -> succession.seen(5));
        assertThat(done).containsExactly("3 true 3");
        assertThat(told).isEqualTo(from(1, 5));
    }
}
