package dev.gavel.lifecycle.process;

/** A part of a whole, such as 1/2. */
public record Share(int part, int whole) {
    public Share {
        if (part < 0 || whole < 1 || part > whole) {
            throw new IllegalArgumentException("not a part of a whole: " + part + "/" + whole);
        }
    }

    /** The smallest number that is at least this share of a total, and never nobody. */
    public int atLeast(int total) {
        return Math.max(1, Math.ceilDiv(total * part, whole));
    }

    /** Whether a number is more than this share of a total. */
    public boolean exceededBy(int number, int total) {
        return (long) number * whole > (long) total * part;
    }

    @Override
    public String toString() {
        return part + "/" + whole;
    }
}
