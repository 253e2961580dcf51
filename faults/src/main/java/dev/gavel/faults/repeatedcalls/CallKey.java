package dev.gavel.faults.repeatedcalls;

/**
 * The arguments and the identity of a logical call. All calls with the same key are equal calls for Gavel. Immutable.
 *
 * @param path the argument of the tool; it is different for each key of a run
 * @param abandoned whether the client stops calling at some time without having an answer, and no reviewer decides
 */
record CallKey(String agent, String path, boolean abandoned) {
    private static final String ABANDONED_SUFFIX = "-abandoned";

    static CallKey of(long seed, String agent, int number, boolean abandoned) {
        return new CallKey(
                agent, "/" + seed + "/" + agent + "/" + number + (abandoned ? ABANDONED_SUFFIX : ""), abandoned);
    }

    /** Whether the path is that of an abandoned key. */
    static boolean isAbandoned(String path) {
        return path.endsWith(ABANDONED_SUFFIX);
    }

    @Override
    public String toString() {
        return path;
    }
}
