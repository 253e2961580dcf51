package dev.gavel.app.edge;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many streams and polls may be open: so many in all, and of one identity, so that nobody takes all of them.
 * Thread-safe.
 */
public final class Places {
    private static final int MOST_OF_ONE = 100;

    private final int most;
    private final AtomicInteger taken = new AtomicInteger();
    private final Map<String, Integer> of = new ConcurrentHashMap<>();

    /** So many places in all. */
    public Places(int most) {
        this.most = most;
    }

    /** How many are taken now. */
    public int taken() {
        return taken.get();
    }

    /** A place for an identity; none where it has enough of them, or all are taken. Thread-safe. */
    public Optional<Place> take(String identity) {
        boolean one = of.merge(identity, 1, Integer::sum) <= MOST_OF_ONE;
        boolean any = taken.incrementAndGet() <= most;
        Place place = new Place(identity);
        if (one && any) {
            return Optional.of(place);
        }
        place.leave();
        return Optional.empty();
    }

    /** A place that was taken. Thread-safe. */
    public final class Place {
        private final String identity;
        private final AtomicBoolean left = new AtomicBoolean();

        private Place(String identity) {
            this.identity = identity;
        }

        /** Gives it back; once. */
        public void leave() {
            if (left.compareAndSet(false, true)) {
                taken.decrementAndGet();
                of.computeIfPresent(identity, (who, count) -> count == 1 ? null : count - 1);
            }
        }
    }
}
