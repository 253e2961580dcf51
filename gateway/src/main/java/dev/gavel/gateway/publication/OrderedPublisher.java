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
 * Publishes decided proposal events in ledger order, whether this process or another wrote them. Events that this
 * process decided are published when the ledger confirms them, unless other processes wrote before: then those events
 * are read and published first. Events of other processes are published once their writer announces them over the bus,
 * because by then every envelope that it sent before has arrived. If no announcement arrives, they are published after
 * a short timeout. Confined to the topic's loop, except for reading the ledger.
 */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks do not fail, and nothing waits for them
public final class OrderedPublisher {
    private static final Logger log = LoggerFactory.getLogger(OrderedPublisher.class);

    /** How long a process has to announce its writes before they are published without the announcement. */
    private static final long ANNOUNCEMENT_TIMEOUT_MILLIS = 250;

    private static final long RETRY_MILLIS = 500;

    private final ProposalTailReader tailReader;
    private final EventExecutor loop;
    private final Executor ioExecutor;
    private final DecisionPublisher publisher;

    /** Whether the bus can deliver the announcements of other processes. */
    private final BooleanSupplier busReachable;

    private final PublishableSeqTracker announced = new PublishableSeqTracker();
    private final LateEnvelopeDetector lateEnvelopeDetector = new LateEnvelopeDetector();
    private final Queue<QueuedDecision> queue = new ArrayDeque<>();
    private final List<SeqWaiter> waiters = new ArrayList<>(0);
    private long seq;

    /** Whether the last published seq is known. Nothing is published before. */
    private boolean started;

    private boolean busy;
    private boolean retrying;
    private boolean stopped;

    /** Publishes decided events to the topic. */
    public interface DecisionPublisher {
        /**
         * Publishes to all receivers of this process.
         *
         * @param elsewhere whether another process decided it and it was read from the ledger
         */
        void publish(ProposalStoreResult.Committed made, boolean elsewhere);

        /** Changes that this process decided have been published. */
        void onWritten(List<ProposalChange> changes);

        /**
         * Some events of other processes are no longer in the ledger, so nothing can be published until {@link
         * OrderedPublisher#start} is called again.
         */
        void onGap();
    }

    /**
     * A decision that the ledger confirmed, in the queue.
     *
     * @param committed what was decided; null if nothing was
     * @param after the seq that has to be published before it
     */
    private record QueuedDecision(ProposalStoreResult.@Nullable Committed committed, long after, Runnable then) {
        boolean hasEvents() {
            return committed != null && committed.lastSeq() > 0;
        }
    }

    /** Not a record: two waiters for the same seq are not equal. */
    private static final class SeqWaiter {
        final long seq;
        final Consumer<Boolean> then;

        /**
         * Completes the waiter with false. It is cancelled when the waiter completes, because it would otherwise hold
         * the callback in memory until the timeout.
         */
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

    /** Starts after a seq, and publishes the events that were announced before the start. */
    public void start(long last) {
        seq = last;
        announced.discardUpTo(last);
        tailReader.clearCache();
        started = true;
        completeWaiters();
        advance();
    }

    /** The last seq that has been sent to all its receivers. */
    public long seq() {
        return seq;
    }

    /**
     * Publishes a decision of this process.
     *
     * @param then runs when the decision has been published
     */
    public void publishDecision(ProposalStoreResult.Committed made, Runnable then) {
        if (made.lastSeq() > 0) {
            // Earlier events may be this process's own, if it never got the confirmation that they were written.
            onHead(made.firstSeq() - 1);
            announced.add(made.firstSeq(), made.lastSeq());
            lateEnvelopeDetector.removeAnnounced(made.firstSeq(), made.lastSeq());
        }
        enqueue(new QueuedDecision(made, 0, then));
    }

    /** Runs a task after all earlier decisions of this process and all events up to a seq have been published. */
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
     * Calls back once everything up to a seq has been published; at once if it already has been.
     *
     * @param millis how long to wait
     * @param then called once, with whether it has been published
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

    /** Another process announces that it wrote these events. */
    public void onWritten(long first, long last) {
        if (last > seq) {
            announced.add(first, last);
        }
        lateEnvelopeDetector.removeAnnounced(first, last);
        advance();
    }

    /** The ledger has events up to this seq. */
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

    /** Stops publishing the events of other processes: those processes publish them themselves. */
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

    /**
     * A decision of which a part was published, because it was read together with earlier events, is read to its end.
     */
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
     * Whether an envelope that concerns no proposal arrives too late: a later event of its sender has already been
     * published, because its writer did not announce it in time.
     *
     * @param after the last seq that the sender may have seen when it sent the envelope
     */
    public boolean isLate(String from, long after) {
        return lateEnvelopeDetector.isLate(from, after);
    }

    /** Completes the waiters whose seq has been published. */
    private void completeWaiters() {
        if (waiters.isEmpty()) {
            return;
        }
        List<SeqWaiter> ready = waiters.stream().filter(each -> each.seq <= seq).toList();
        waiters.removeAll(ready);
        ready.forEach(each -> each.complete(true));
    }

    /** Ends a read at the lowest seq that a waiter waits for, so that the waiter runs directly after it. */
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
            // Announced but not in the ledger: the database was reset to an earlier state, or the announcement was
            // false.
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
