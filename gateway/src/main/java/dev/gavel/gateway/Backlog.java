package dev.gavel.gateway;

import dev.gavel.mcpx.Envelope;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * What a connection sent and its topic could not deal with yet, so that its order holds: what comes before its welcome,
 * and what comes after something that is not durable yet. Envelopes about proposals need not wait for each other, since
 * the ledger keeps their order. Confined to the topic's loop.
 */
final class Backlog {
    private static final int MOST_ENVELOPES = 1024;
    private static final int MOST_BYTES = 4 * 1024 * 1024;

    private final Predicate<Verdict> slow;
    private final Queue<Verdict> waiting = new ArrayDeque<>(0);
    private final Queue<Integer> away = new ArrayDeque<>(0);
    private boolean held = true;
    private int bytes;

    /**
     * An empty one that lets nothing pass before {@link #release}.
     *
     * @param slow whether something has to become durable before it is dealt with
     */
    Backlog(Predicate<Verdict> slow) {
        this.slow = slow;
    }

    /** Lets pass what came while nothing was let pass. */
    void release() {
        held = false;
    }

    /** Whether something that has just come can be dealt with at once. */
    boolean passes(Verdict verdict) {
        return waiting.isEmpty() && mayGo(verdict) && roomFor(verdict);
    }

    /** How many wait. */
    int waiting() {
        return waiting.size();
    }

    /** Lets something wait; false where there is no room for it. */
    boolean keep(Verdict verdict) {
        if (!roomFor(verdict)) {
            return false;
        }
        bytes += size(verdict);
        return waiting.add(verdict);
    }

    /** The next that can be dealt with now. */
    Optional<Verdict> next() {
        Verdict head = waiting.peek();
        if (head == null || !mayGo(head)) {
            return Optional.empty();
        }
        waiting.remove();
        bytes -= size(head);
        return Optional.of(head);
    }

    /** Something is on its way to the ledger. */
    void sent(Verdict verdict) {
        away.add(size(verdict));
        bytes += size(verdict);
    }

    /** One of those is back. */
    void back() {
        bytes -= away.remove();
    }

    private boolean mayGo(Verdict verdict) {
        return !held && (away.isEmpty() || slow.test(verdict));
    }

    private boolean roomFor(Verdict verdict) {
        return away.size() + waiting.size() < MOST_ENVELOPES
                && bytes + size(verdict) <= Math.max(MOST_BYTES, size(verdict));
    }

    private static int size(Verdict verdict) {
        return verdict instanceof Verdict.Admit(Envelope envelope) ? envelope.length() : 0;
    }
}
