package dev.gavel.gateway;

import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.docket.Decision;
import dev.gavel.gateway.docket.Tail;
import dev.gavel.ledger.LedgerFailure;
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
 * Has everything that was decided about a topic's proposals told in the ledger's order, wherever it was decided. What this
 * process decided is told as it comes back from the ledger, unless others wrote before it: then that is read first. What
 * others wrote is told once they say so over the bus, since by then everything has been heard that they sent before it;
 * or, where they do not say so, after a moment. Confined to the topic's loop, but for the reading.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is scheduled here does not fail, and nobody waits for it
final class Succession {
    private static final Logger log = LoggerFactory.getLogger(Succession.class);

    /** How long a process that wrote has to say so, before what it wrote is told all the same. */
    private static final long PATIENCE_MILLIS = 250;

    private static final long RETRY_MILLIS = 500;

    private final Tail tail;
    private final EventExecutor loop;
    private final Executor reading;
    private final Teller teller;

    /** Whether others can say that they wrote. */
    private final BooleanSupplier reachable;

    private final Said said = new Said();
    private final Unsaid unsaid = new Unsaid();
    private final Queue<Decided> decided = new ArrayDeque<>();
    private final List<Awaited> awaited = new ArrayList<>(0);
    private long seq;

    /** Whether it is known what has been told; before, nothing is. */
    private boolean begun;

    private boolean busy;
    private boolean failing;
    private boolean stopped;

    /** Where what was decided is told. */
    interface Teller {
        /**
         * Tells everybody here of it.
         *
         * @param elsewhere whether it was read, another process having decided it
         */
        void tell(Decision.Made made, boolean elsewhere);

        /** This was decided here, and has been told. */
        void wrote(List<Change> changes);

        /** Some of what others wrote is kept no more, so nothing can be told until it is begun anew. */
        void lost();
    }

    /**
     * Something that came back from the ledger.
     *
     * @param made what was decided; null where nothing was
     * @param after what has to be told before it
     */
    private record Decided(Decision.@Nullable Made made, long after, Runnable then) {
        boolean hasEvents() {
            return made != null && made.seq() > 0;
        }
    }

    /** Not a record: two that wait for the same are not the same. */
    private static final class Awaited {
        final long seq;
        final Consumer<Boolean> then;

        /** Ends the waiting; called off with it, or it would keep what waited for as long as that. */
        @Nullable
        Future<?> end;

        Awaited(long seq, Consumer<Boolean> then) {
            this.seq = seq;
            this.then = then;
        }

        void told(boolean told) {
            if (end != null) {
                end.cancel(false);
            }
            then.accept(told);
        }
    }

    Succession(Tail tail, EventExecutor loop, Executor reading, BooleanSupplier reachable, Teller teller) {
        this.tail = tail;
        this.loop = loop;
        this.reading = reading;
        this.reachable = reachable;
        this.teller = teller;
    }

    /** Begins after a seq; what was heard of before is told now. */
    void begin(long last) {
        seq = last;
        said.toldUpTo(last);
        tail.forget();
        begun = true;
        release();
        goOn();
    }

    /** The last seq that everybody who is to be sent it has been sent. */
    long seq() {
        return seq;
    }

    /** Something was decided here; what is to be done then is done when it has been told. */
    void decided(Decision.Made made, Runnable then) {
        if (made.seq() > 0) {
            // What comes before may be this process' own, where it was never told that it had been written.
            seen(made.first() - 1);
            said.wrote(made.first(), made.seq());
            unsaid.said(made.first(), made.seq());
        }
        enqueue(new Decided(made, 0, then));
    }

    /** Does something after what was decided here before, and after what happened up to a seq. */
    void then(long after, Runnable then) {
        if (after > seq) {
            seen(after);
        }
        enqueue(new Decided(null, after, then));
    }

    private void enqueue(Decided next) {
        decided.add(next);
        goOn();
    }

    /**
     * Does something once everything up to a seq has been told: at once where it has been.
     *
     * @param millis how long that is waited for
     * @param then is told whether it has been told; once
     */
    void whenTold(long upTo, long millis, Consumer<Boolean> then) {
        if (upTo <= seq) {
            then.accept(true);
            return;
        }
        Awaited next = new Awaited(upTo, then);
        awaited.add(next);
        next.end = loop.schedule(
                () -> {
                    if (awaited.remove(next)) {
                        next.told(false);
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
        seen(upTo);
    }

    /** Another process says that it wrote these. */
    void told(long first, long last) {
        if (last > seq) {
            said.wrote(first, last);
        }
        unsaid.said(first, last);
        goOn();
    }

    /** There are events up to here. */
    void seen(long last) {
        if (last <= seq || stopped) {
            return;
        }
        if (last <= said.upTo(seq)) {
            goOn();
        } else if (reachable.getAsBoolean()) {
            loop.schedule(() -> waitedFor(last), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            waitedFor(last);
        }
    }

    private void waitedFor(long last) {
        said.notSaid(last);
        goOn();
    }

    /** Tells no more of what others write: they tell it themselves. */
    void stop() {
        stopped = true;
    }

    private void goOn() {
        while (begun && !busy) {
            Decided head = decided.peek();
            if (head != null && isNext(head)) {
                decided.remove();
                tell(head);
            } else if (!failing && said.upTo(seq) > seq) {
                read();
            } else {
                return;
            }
        }
    }

    /** What was told in part, having been read with what came before it, is read to its end. */
    private boolean isNext(Decided head) {
        Decision.Made made = head.made();
        if (made == null || !head.hasEvents()) {
            return head.after() <= seq;
        }
        return made.first() == seq + 1 || made.seq() <= seq;
    }

    private void tell(Decided head) {
        try {
            Decision.Made made = head.made();
            if (made != null) {
                if (made.seq() > seq || !head.hasEvents()) {
                    tail.note(made.changes());
                    tell(made, false);
                }
                teller.wrote(made.changes());
            }
        } finally {
            head.then().run();
            release();
        }
    }

    private void tell(Decision.Made made, boolean elsewhere) {
        if (elsewhere) {
            unsaid.note(made.messages(), said.saidUpTo(seq));
        }
        seq = Math.max(seq, made.seq());
        said.toldUpTo(seq);
        teller.tell(made, elsewhere);
    }

    /**
     * Whether something that is about no proposal comes too late: its sender sent something afterwards that has been told
     * already, since nobody said who wrote it.
     *
     * @param after what its sender may have seen when it was sent
     */
    boolean isLate(String from, long after) {
        return unsaid.isLate(from, after);
    }

    /** Those who waited for something to be told need not any longer. */
    private void release() {
        if (awaited.isEmpty()) {
            return;
        }
        List<Awaited> ready = awaited.stream().filter(each -> each.seq <= seq).toList();
        awaited.removeAll(ready);
        ready.forEach(each -> each.told(true));
    }

    /** What somebody waits for is told by itself, so that what they want to do comes right after it. */
    private long nextStop() {
        return awaited.stream().mapToLong(each -> each.seq).reduce(said.upTo(seq), Math::min);
    }

    private void read() {
        busy = true;
        long from = seq;
        long until = nextStop();
        reading.execute(() -> {
            Runnable then;
            try {
                Optional<Decision.Made> found = tail.after(from, until);
                then = () -> found(from, found);
            } catch (RuntimeException e) {
                then = () -> failed(e);
            }
            if (!loop.isShuttingDown()) {
                loop.execute(then);
            }
        });
    }

    private void found(long from, Optional<Decision.Made> found) {
        busy = false;
        if (found.isEmpty()) {
            begun = false;
            teller.lost();
            return;
        }
        Decision.Made made = found.get();
        if (made.seq() > from) {
            tell(made, true);
            release();
        } else {
            // Said to be there, and not there: a database that fell back, or somebody who says what is not so.
            said.forget();
        }
        goOn();
    }

    private void failed(RuntimeException failure) {
        busy = false;
        failing = true;
        if (failure instanceof LedgerFailure) {
            log.warn("what happened after seq {} cannot be read, and is tried again: {}", seq, failure.getMessage());
        } else {
            log.error("what happened after seq {} cannot be told, and is tried again", seq, failure);
        }
        loop.schedule(
                () -> {
                    failing = false;
                    goOn();
                },
                RETRY_MILLIS,
                TimeUnit.MILLISECONDS);
    }
}
