package dev.gavel.faults.repeatedcalls;

/**
 * How many different calls a run of the repeated-calls test makes. Immutable.
 *
 * @param abandonedKeysPerAgent the calls whose clients stop calling; the run waits until Gavel has withdrawn them
 */
record RepeatedCallsLoad(int keysPerAgent, int abandonedKeysPerAgent) {
    /** For the script. */
    static final RepeatedCallsLoad FULL = new RepeatedCallsLoad(4, 2);

    /** For a run of a few seconds. */
    static final RepeatedCallsLoad SHORT = new RepeatedCallsLoad(4, 0);
}
