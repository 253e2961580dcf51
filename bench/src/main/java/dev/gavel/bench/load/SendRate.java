package dev.gavel.bench.load;

/**
 * The rate at which a load generator's participants send: as fast as the slowest receiver reads, or a fixed number of
 * messages per second.
 */
public sealed interface SendRate {
    /** As fast as the slowest receiver reads. */
    record Saturating() implements SendRate {
        @Override
        public String toString() {
            return "saturating";
        }
    }

    /** This many messages per second in total, evenly spaced. */
    record Constant(int perSecond) implements SendRate {
        public Constant {
            if (perSecond < 1 || perSecond > 100_000) {
                throw new IllegalArgumentException("--rate must be 1 to 100000, not " + perSecond);
            }
        }

        @Override
        public String toString() {
            return perSecond + " messages/s";
        }
    }
}
