package dev.gavel.lifecycle.process;

/** A fraction such as 1/2, used for quorums and majorities. */
public record VoteFraction(int numerator, int denominator) {
    public VoteFraction {
        if (numerator < 0 || denominator < 1 || numerator > denominator) {
            throw new IllegalArgumentException("not a fraction between 0 and 1: " + numerator + "/" + denominator);
        }
    }

    /** The smallest number that is at least this fraction of a total; never less than one. */
    public int atLeast(int total) {
        return Math.max(1, Math.ceilDiv(total * numerator, denominator));
    }

    /** Whether a number is more than this fraction of a total. */
    public boolean isExceededBy(int number, int total) {
        return (long) number * denominator > (long) total * numerator;
    }

    @Override
    public String toString() {
        return numerator + "/" + denominator;
    }
}
