package dev.gavel.gateway.publication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.gateway.store.OutgoingProposalMessage;
import dev.gavel.gateway.store.ProposalStoreFixture;
import dev.gavel.gateway.store.ProposalStoreResult;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which events are published if no process announces its writes. */
class OrderedPublisherTest {
    @TempDir
    private Path directory;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final List<Long> publishedSeqs = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private ProposalStoreFixture room;
    private OrderedPublisher orderedPublisher;

    @BeforeEach
    void open() {
        room = new ProposalStoreFixture(directory);
        orderedPublisher = new OrderedPublisher(
                room.proposalStore.unpublishedEventReader(), loop, Runnable::run, () -> false, new Teller());
    }

    @AfterEach
    void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        room.close();
    }

    private final class Teller implements OrderedPublisher.DecisionPublisher {
        @Override
        public void publish(ProposalStoreResult.Committed committed, boolean elsewhere) {
            committed.messages().stream().map(OutgoingProposalMessage::seq).forEach(publishedSeqs::add);
        }

        @Override
        public void onLocalChangesPublished(List<AppliedProposalEvent> changes) {
            done.add("wrote " + changes.size());
        }

        @Override
        public void onGap() {
            done.add("lost");
        }
    }

    /** Runs a task on the loop, and waits until the tasks that it causes are done. */
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
        run(() -> orderedPublisher.onAnnounced(2, 2));
        assertThat(publishedSeqs).isEmpty();
        run(() -> orderedPublisher.startAfter(1));
        assertThat(publishedSeqs).containsExactly(2L);
    }

    @Test
    void nothingIsReadBeforeItBegins() {
        propose(3);
        run(() -> orderedPublisher.onLedgerHead(3));
        run(() -> orderedPublisher.startAfter(3));
        assertThat(publishedSeqs).isEmpty();
    }

    @Test
    void whatWasWrittenWithoutItsAnswerHavingComeIsToldWithWhatIsWrittenNext() {
        run(() -> orderedPublisher.startAfter(0));
        String first = room.propose();
        ProposalStoreResult.Committed next = (ProposalStoreResult.Committed)
                room.remark("alice", "status", "{'status':'considering'}", List.of(first));
        run(() -> orderedPublisher.publishDecision(next, () -> done.add("then")));
        assertThat(publishedSeqs).containsExactly(1L, 2L);
        assertThat(done).containsExactly("wrote 1", "then");
    }

    @Test
    void whatIsReadInPartBeforeItComesBackIsToldOnce() {
        propose(60);
        room.advanceTime(Duration.ofHours(2));
        ProposalStoreResult.Committed expired = (ProposalStoreResult.Committed) room.expireDue();
        assertThat(expired.firstSeq()).isEqualTo(61);
        assertThat(expired.lastSeq()).isEqualTo(120);
        run(() -> orderedPublisher.startAfter(0));
        run(() -> orderedPublisher.publishDecision(expired, () -> done.add("then")));
        assertThat(publishedSeqs).isEqualTo(from(1, 120));
        assertThat(done).containsExactly("wrote 60", "then");
    }

    @Test
    void whoWaitsForSomethingIsToldOnceWhenItHasBeenTold() {
        propose(5);
        run(() -> orderedPublisher.startAfter(0));
        run(() -> orderedPublisher.whenPublished(3, 60_000, now -> done.add("3 " + now + " " + publishedSeqs.size())));
        run(() -> orderedPublisher.onLedgerHead(5));
        assertThat(done).containsExactly("3 true 3");
        assertThat(publishedSeqs).isEqualTo(from(1, 5));
    }
}
