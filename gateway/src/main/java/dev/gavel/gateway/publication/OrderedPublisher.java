package dev.gavel.gateway.publication;

import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.gateway.store.ProposalStoreResult;
import dev.gavel.gateway.store.UnpublishedEventReader;
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
 * Publishes a topic's proposal events in ledger order, both those that this gateway process wrote and those of other
 * processes. Events that this process decided are published when the ledger confirms them, unless other processes wrote
 * before: then those events are read and published first. Events of other processes are published once their writer
 * announces them over the bus, because by then every envelope that it sent before has arrived. If no announcement
 * arrives, they are published after a short timeout. Confined to the topic's loop, except for reading the ledger.
 */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks do not fail, and nothing waits for them
public final class OrderedPublisher {
    private static final Logger log = LoggerFactory.getLogger(OrderedPublisher.class);

    /** How long a process has to announce its writes before they are published without the announcement. */
    private static final long ANNOUNCEMENT_TIMEOUT_MILLIS = 250;

    private static final long RETRY_MILLIS = 500;

    private final UnpublishedEventReader unpublishedEventReader;
    private final EventExecutor loop;
    private final Executor ioExecutor;
    private final DecisionPublisher publisher;

    /** Whether the bus can deliver the announcements of other processes. */
    private final BooleanSupplier busReachable;

    private final PublishableSeqTracker seqTracker = new PublishableSeqTracker();
    private final OutOfOrderEnvelopeDetector outOfOrderDetector = new OutOfOrderEnvelopeDetector();
    private final Queue<QueuedDecision> queue = new ArrayDeque<>();
    private final List<SeqWaiter> waiters = new ArrayList<>(0);
    private long publishedSeq;

    /** Whether the last published seq is known. Nothing is published before. */
    private boolean started;

    private boolean reading;
    private boolean retrying;
    private boolean stopped;

    /** Publishes decided events to the topic. */
    public interface DecisionPublisher {
        /**
         * Publishes to all receivers of this process.
         *
         * @param remote whether another process decided it and it was read from the ledger
         */
        void publish(ProposalStoreResult.Committed committed, boolean remote);

        /** Changes that this process decided have been published. */
        void onLocalChangesPublished(List<AppliedProposalEvent> changes);

        /**
         * Some events of other processes are no longer in the ledger, so nothing can be published until {@link
         * OrderedPublisher#startAfter} is called again.
         */
        void onGap();
    }

    /**
     * A queue entry: a decision that the ledger confirmed, or a task that waits for earlier decisions.
     *
     * @param committed the decision; null for a task
     * @param after the seq that has to be published before it
     */
    private record QueuedDecision(ProposalStoreResult.@Nullable Committed committed, long after, Runnable callback) {
        boolean hasEvents() {
            return committed != null && committed.lastSeq() > 0;
        }
    }

    /** Not a record: two waiters for the same seq are not equal. */
    private static final class SeqWaiter {
        final long seq;
        final Consumer<Boolean> callback;

        /**
         * Completes the waiter with false. It is cancelled when the waiter completes, because it would otherwise hold
         * the callback in memory until the timeout.
         */
        @Nullable
        Future<?> timeout;

        SeqWaiter(long seq, Consumer<Boolean> callback) {
            this.seq = seq;
            this.callback = callback;
        }

        void complete(boolean published) {
            if (timeout != null) {
                timeout.cancel(false);
            }
            callback.accept(published);
        }
    }

    public OrderedPublisher(
            UnpublishedEventReader proposalCatchUpReader,
            EventExecutor loop,
            Executor ioExecutor,
            BooleanSupplier busReachable,
            DecisionPublisher decisionPublisher) {
        this.unpublishedEventReader = proposalCatchUpReader;
        this.loop = loop;
        this.ioExecutor = ioExecutor;
        this.busReachable = busReachable;
        this.publisher = decisionPublisher;
    }

    /** Starts after a seq, and publishes the events that were announced before the start. */
    public void startAfter(long last) {
        publishedSeq = last;
        seqTracker.discardUpTo(last);
        unpublishedEventReader.clearCache();
        started = true;
        completeWaiters();
        advance();
    }

    /** The last seq that has been sent to all its receivers. */
    public long publishedSeq() {
        return publishedSeq;
    }

    /**
     * Publishes a decision of this process.
     *
     * @param callback runs when the decision has been published
     */
    public void publishDecision(ProposalStoreResult.Committed committed, Runnable callback) {
        if (committed.lastSeq() > 0) {
            // Earlier events may be this process's own, if it never got the confirmation that they were written.
            onLedgerHead(committed.firstSeq() - 1);
            seqTracker.add(committed.firstSeq(), committed.lastSeq());
            outOfOrderDetector.removeAnnounced(committed.firstSeq(), committed.lastSeq());
        }
        enqueue(new QueuedDecision(committed, 0, callback));
    }

    /** Runs a task after all earlier decisions of this process and all events up to a seq have been published. */
    public void runAfter(long afterSeq, Runnable callback) {
        if (afterSeq > publishedSeq) {
            onLedgerHead(afterSeq);
        }
        enqueue(new QueuedDecision(null, afterSeq, callback));
    }

    private void enqueue(QueuedDecision next) {
        queue.add(next);
        advance();
    }

    /**
     * Calls back once everything up to a seq has been published; at once if it already has been.
     *
     * @param timeoutMillis how long to wait
     * @param callback called once, with whether it has been published
     */
    public void whenPublished(long upTo, long timeoutMillis, Consumer<Boolean> callback) {
        if (upTo <= publishedSeq) {
            callback.accept(true);
            return;
        }
        SeqWaiter next = new SeqWaiter(upTo, callback);
        waiters.add(next);
        next.timeout = loop.schedule(
                () -> {
                    if (waiters.remove(next)) {
                        next.complete(false);
                    }
                },
                timeoutMillis,
                TimeUnit.MILLISECONDS);
        onLedgerHead(upTo);
    }

    /** Another process announces that it wrote these events. */
    public void onAnnounced(long first, long last) {
        if (last > publishedSeq) {
            seqTracker.add(first, last);
        }
        outOfOrderDetector.removeAnnounced(first, last);
        advance();
    }

    /** The ledger has events up to this seq. */
    public void onLedgerHead(long last) {
        if (last <= publishedSeq || stopped) {
            return;
        }
        if (last <= seqTracker.publishableUpTo(publishedSeq)) {
            advance();
        } else if (busReachable.getAsBoolean()) {
            loop.schedule(() -> onAnnouncementTimeout(last), ANNOUNCEMENT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            onAnnouncementTimeout(last);
        }
    }

    private void onAnnouncementTimeout(long last) {
        seqTracker.markTimedOut(last);
        advance();
    }

    /**
     * Ignores later calls of {@link #onLedgerHead}, because the process stops. Events that other processes announce are
     * still read and published.
     */
    public void stop() {
        stopped = true;
    }

    private void advance() {
        while (started && !reading) {
            QueuedDecision head = queue.peek();
            if (head != null && canPublish(head)) {
                queue.remove();
                publish(head);
            } else if (!retrying && seqTracker.publishableUpTo(publishedSeq) > publishedSeq) {
                read();
            } else {
                return;
            }
        }
    }

    /**
     * Whether the decision can be taken from the queue: its first event is the next one, or a read of the ledger
     * published all its events. If a read published only some of them, the rest is read from the ledger too.
     */
    private boolean canPublish(QueuedDecision head) {
        ProposalStoreResult.Committed committed = head.committed();
        if (committed == null || !head.hasEvents()) {
            return head.after() <= publishedSeq;
        }
        return committed.firstSeq() == publishedSeq + 1 || committed.lastSeq() <= publishedSeq;
    }

    private void publish(QueuedDecision head) {
        try {
            ProposalStoreResult.Committed committed = head.committed();
            if (committed != null) {
                if (committed.lastSeq() > publishedSeq || !head.hasEvents()) {
                    unpublishedEventReader.cacheChanges(committed.changes());
                    publish(committed, false);
                }
                publisher.onLocalChangesPublished(committed.changes());
            }
        } finally {
            head.callback().run();
            completeWaiters();
        }
    }

    private void publish(ProposalStoreResult.Committed committed, boolean remote) {
        if (remote) {
            outOfOrderDetector.add(committed.messages(), seqTracker.announcedUpTo(publishedSeq));
        }
        publishedSeq = Math.max(publishedSeq, committed.lastSeq());
        seqTracker.discardUpTo(publishedSeq);
        publisher.publish(committed, remote);
    }

    /**
     * Whether an envelope that concerns no proposal arrives too late: a later event of its sender has already been
     * published, because its writer did not announce it in time.
     *
     * @param afterSeq the last seq that the sender may have seen when it sent the envelope
     */
    public boolean isOutOfOrder(String from, long afterSeq) {
        return outOfOrderDetector.isOutOfOrder(from, afterSeq);
    }

    /** Completes the waiters whose seq has been published. */
    private void completeWaiters() {
        if (waiters.isEmpty()) {
            return;
        }
        List<SeqWaiter> ready =
                waiters.stream().filter(each -> each.seq <= publishedSeq).toList();
        waiters.removeAll(ready);
        ready.forEach(each -> each.complete(true));
    }

    /** Ends a read at the lowest seq that a waiter waits for, so that the waiter runs directly after it. */
    private long readLimit() {
        return waiters.stream().mapToLong(each -> each.seq).reduce(seqTracker.publishableUpTo(publishedSeq), Math::min);
    }

    private void read() {
        reading = true;
        long from = publishedSeq;
        long until = readLimit();
        ioExecutor.execute(() -> {
            Runnable callback;
            try {
                Optional<ProposalStoreResult.Committed> found = unpublishedEventReader.after(from, until);
                callback = () -> onRead(from, found);
            } catch (RuntimeException e) {
                callback = () -> onReadFailed(e);
            }
            if (!loop.isShuttingDown()) {
                loop.execute(callback);
            }
        });
    }

    private void onRead(long from, Optional<ProposalStoreResult.Committed> found) {
        reading = false;
        if (found.isEmpty()) {
            started = false;
            publisher.onGap();
            return;
        }
        ProposalStoreResult.Committed committed = found.get();
        if (committed.lastSeq() > from) {
            publish(committed, true);
            completeWaiters();
        } else {
            // Announced but not in the ledger: the database was reset to an earlier state, or the announcement was
            // false.
            seqTracker.clear();
        }
        advance();
    }

    private void onReadFailed(RuntimeException failure) {
        reading = false;
        retrying = true;
        if (failure instanceof LedgerException) {
            log.warn("The events after seq {} cannot be read; trying again: {}", publishedSeq, failure.getMessage());
        } else {
            log.error("The events after seq {} cannot be published; trying again.", publishedSeq, failure);
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
