package dev.gavel.bench;

/** How fast senders send. */
public sealed interface Pace {
    /** As fast as the slowest receiver takes it. */
    record Saturating() implements Pace {
        @Override
        public String toString() {
            return "saturating";
        }
    }

    /** So many messages a second together, evenly spaced. */
    record Even(int perSecond) implements Pace {
        /** A pace above 0. */
        public Even {
            if (perSecond < 1 || perSecond > 100_000) {
                throw new IllegalArgumentException("messages a second must be 1 to 100000, not " + perSecond);
            }
        }

        @Override
        public String toString() {
            return perSecond + " messages/s";
        }
    }
}
