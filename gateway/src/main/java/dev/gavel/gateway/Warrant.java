package dev.gavel.gateway;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What lets somebody in for as long as it is good: the token they came with. It knows what is open on its strength, and
 * ends that when it ends itself. Thread-safe.
 */
public final class Warrant {
    private final Set<Runnable> held = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    /** Whether it is still good. */
    public boolean holds() {
        return !ended;
    }

    /**
     * Has something run when this ends; at once where it has ended. It is noted before that is looked at, so that nothing
     * that begins while this ends is missed.
     *
     * @param ending to be let go of by {@link #release}; run once at most
     */
    public void hold(Runnable ending) {
        held.add(ending);
        if (ended) {
            end(ending);
        }
    }

    /** Forgets about something that is over by itself. */
    public void release(Runnable ending) {
        held.remove(ending);
    }

    /** Ends it for good, and everything that is open on its strength. */
    public void end() {
        ended = true;
        held.forEach(this::end);
    }

    private void end(Runnable ending) {
        if (held.remove(ending)) {
            ending.run();
        }
    }
}
