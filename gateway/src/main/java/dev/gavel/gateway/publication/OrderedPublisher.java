package dev.gavel.gateway.publication;

import dev.gavel.gateway.store.ProposalChange;
import dev.gavel.gateway.store.ProposalStoreResult;
import dev.gavel.gateway.store.ProposalTailReader;
import dev.gavel.ledger.LedgerException;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes decided proposal events in ledger order, whether this process or another wrote them. What this process
 * decided is told as it comes back from the ledger, unless others wrote before it: then that is read first. What others
 * wrote is told once they say so over the bus, since by then everything has been heard that they sent before it; or,
 * where they do not say so, after a moment. Confined to the topic's loop, but for the reading.
 */
@SuppressWarnings("FutureReturnValueIgnored")
public // what is scheduled here does not fail, and nobody waits for it
final class OrderedPublisher {
    private static final Logger log = LoggerFactory.getLogger(OrderedPublisher.class);

    /** How long a process that wrote has to say so, before what it wrote is told all the same. */
    private static final long ANNOUNCEMENT_TIMEOUT_MILLIS = 250;

    private static final long RETRY_MILLIS = 500;

    private final ProposalTailReader tailReader;
    private final EventExecutor loop;
    private final Executor ioExecutor;
    private final DecisionPublisher publisher;

    /** Whether others can say that they wrote. */
    private final BooleanSupplier busReachable;

    private final PublishableSeqTracker announced = new PublishableSeqTracker();
    private final LateEnvelopeDetector lateEnvelopeDetector = new LateEnvelopeDetector();
    private final Queue<QueuedDecision> queue = new ArrayDeque<>();
    private final List<SeqWaiter> waiters = new ArrayList<>(0);
    private long seq;

    /** Whether it is known what has been told; before, nothing is. */
    private boolean started;

    private boolean busy;
    private boolean retrying;
    private boolean stopped;

    /** Where what was decided is told. */
    public interface DecisionPublisher {
        /**
         * Tells everybody here of it.
         *
         * @param elsewhere whether it was read, another process having decided it
         */
        void publish(ProposalStoreResult.Committed made, boolean elsewhere);

        /** This was decided here, and has been told. */
        void onWritten(List<ProposalChange> changes);

        /** Some of what others wrote is kept no more, so nothing can be told until it is begun anew. */
        void onGap();
    }

    /**
     * Something that came back from the ledger.
     *
     * @param committed what was decided; null where nothing was
     * @param after what has to be told before it
     */
    private record QueuedDecision(ProposalStoreResult.@Nullable Committed committed, long after, Runnable then) {
        boolean hasEvents() {
            return committed != null && committed.lastSeq() > 0;
        }
    }

    /** Not a record: two that wait for the same are not the same. */
    private static final class SeqWaiter {
        final long seq;
        final Consumer<Boolean> then;

        /** Ends the waiting; called off with it, or it would keep what waited for as long as that. */
        @Nullable
        Future<?> timeout;

        SeqWaiter(long seq, Consumer<Boolean> then) {
            this.seq = seq;
            this.then = then;
        }

        void complete(boolean told) {
            if (timeout != null) {
                timeout.cancel(false);
            }
            then.accept(told);
        }
    }

    public OrderedPublisher(
            ProposalTailReader proposalTailReader,
            EventExecutor loop,
            Executor reading,
            BooleanSupplier reachable,
            DecisionPublisher decisionPublisher) {
        this.tailReader = proposalTailReader;
        this.loop = loop;
        this.ioExecutor = reading;
        this.busReachable = reachable;
        this.publisher = decisionPublisher;
    }

    /** Begins after a seq; what was heard of before is told now. */
    public void start(long last) {
        seq = last;
        announced.discardUpTo(last);
        tailReader.clearCache();
        started = true;
        completeWaiters();
        advance();
    }

    /** The last seq that everybody who is to be sent it has been sent. */
    public long seq() {
        return seq;
    }

    /** Something was decided here; what is to be done then is done when it has been told. */
    public void publishDecision(ProposalStoreResult.Committed made, Runnable then) {
        if (made.lastSeq() > 0) {
            // What comes before may be this process' own, where it was never told that it had been written.
            onHead(made.firstSeq() - 1);
            announced.add(made.firstSeq(), made.lastSeq());
            lateEnvelopeDetector.removeAnnounced(made.firstSeq(), made.lastSeq());
        }
        enqueue(new QueuedDecision(made, 0, then));
    }

    /** Does something after what was decided here before, and after what happened up to a seq. */
    public void runAfter(long after, Runnable then) {
        if (after > seq) {
            onHead(after);
        }
        enqueue(new QueuedDecision(null, after, then));
    }

    private void enqueue(QueuedDecision next) {
        queue.add(next);
        advance();
    }

    /**
     * Does something once everything up to a seq has been told: at once where it has been.
     *
     * @param millis how long that is waited for
     * @param then is told whether it has been told; once
     */
    public void whenPublished(long upTo, long millis, Consumer<Boolean> then) {
        if (upTo <= seq) {
            then.accept(true);
            return;
        }
        SeqWaiter next = new SeqWaiter(upTo, then);
        waiters.add(next);
        next.timeout = loop.schedule(
                () -> {
                    if (waiters.remove(next)) {
                        next.complete(false);
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
        onHead(upTo);
    }

    /** Another process says that it wrote these. */
    public void onWritten(long first, long last) {
        if (last > seq) {
            announced.add(first, last);
        }
        lateEnvelopeDetector.removeAnnounced(first, last);
        advance();
    }

    /** There are events up to here. */
    public void onHead(long last) {
        if (last <= seq || stopped) {
            return;
        }
        if (last <= announced.publishableUpTo(seq)) {
            advance();
        } else if (busReachable.getAsBoolean()) {
            loop.schedule(() -> onAnnouncementTimeout(last), ANNOUNCEMENT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            onAnnouncementTimeout(last);
        }
    }

    private void onAnnouncementTimeout(long last) {
        announced.markTimedOut(last);
        advance();
    }

    /** Tells no more of what others write: they tell it themselves. */
    public void stop() {
        stopped = true;
    }

    private void advance() {
        while (started && !busy) {
            QueuedDecision head = queue.peek();
            if (head != null && isNext(head)) {
                queue.remove();
                publish(head);
            } else if (!retrying && announced.publishableUpTo(seq) > seq) {
                read();
            } else {
                return;
            }
        }
    }

    /** What was told in part, having been read with what came before it, is read to its end. */
    private boolean isNext(QueuedDecision head) {
        ProposalStoreResult.Committed made = head.committed();
        if (made == null || !head.hasEvents()) {
            return head.after() <= seq;
        }
        return made.firstSeq() == seq + 1 || made.lastSeq() <= seq;
    }

    private void publish(QueuedDecision head) {
        try {
            ProposalStoreResult.Committed made = head.committed();
            if (made != null) {
                if (made.lastSeq() > seq || !head.hasEvents()) {
                    tailReader.cacheChanges(made.changes());
                    publish(made, false);
                }
                publisher.onWritten(made.changes());
            }
        } finally {
            head.then().run();
            completeWaiters();
        }
    }

    private void publish(ProposalStoreResult.Committed made, boolean elsewhere) {
        if (elsewhere) {
            lateEnvelopeDetector.add(made.messages(), announced.announcedUpTo(seq));
        }
        seq = Math.max(seq, made.lastSeq());
        announced.discardUpTo(seq);
        publisher.publish(made, elsewhere);
    }

    /**
     * Whether something that is about no proposal comes too late: its sender sent something afterwards that has been told
     * already, since nobody said who wrote it.
     *
     * @param after what its sender may have seen when it was sent
     */
    public boolean isLate(String from, long after) {
        return lateEnvelopeDetector.isLate(from, after);
    }

    /** Those who waited for something to be told need not any longer. */
    private void completeWaiters() {
        if (waiters.isEmpty()) {
            return;
        }
        List<SeqWaiter> ready = waiters.stream().filter(each -> each.seq <= seq).toList();
        waiters.removeAll(ready);
        ready.forEach(each -> each.complete(true));
    }

    /** What somebody waits for is told by itself, so that what they want to do comes right after it. */
    private long readLimit() {
        return waiters.stream().mapToLong(each -> each.seq).reduce(announced.publishableUpTo(seq), Math::min);
    }

    private void read() {
        busy = true;
        long from = seq;
        long until = readLimit();
        ioExecutor.execute(() -> {
            Runnable then;
            try {
                Optional<ProposalStoreResult.Committed> found = tailReader.after(from, until);
                then = () -> onRead(from, found);
            } catch (RuntimeException e) {
                then = () -> onReadFailed(e);
            }
            if (!loop.isShuttingDown()) {
                loop.execute(then);
            }
        });
    }

    private void onRead(long from, Optional<ProposalStoreResult.Committed> found) {
        busy = false;
        if (found.isEmpty()) {
            started = false;
            publisher.onGap();
            return;
        }
        ProposalStoreResult.Committed made = found.get();
        if (made.lastSeq() > from) {
            publish(made, true);
            completeWaiters();
        } else {
            // Said to be there, and not there: a database that fell back, or somebody who says what is not so.
            announced.clear();
        }
        advance();
    }

    private void onReadFailed(RuntimeException failure) {
        busy = false;
        retrying = true;
        if (failure instanceof LedgerException) {
            log.warn("what happened after seq {} cannot be read, and is tried again: {}", seq, failure.getMessage());
        } else {
            log.error("what happened after seq {} cannot be told, and is tried again", seq, failure);
        }
        loop.schedule(
                () -> {
                    retrying = false;
                    advance();
                },
                RETRY_MILLIS,
                TimeUnit.MILLISECONDS);
    }
}
