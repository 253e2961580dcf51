package dev.gavel.gateway.bus;

import dev.gavel.ledger.AppendedRange;

/**
 * Carries envelopes, presence and ledger write announcements between the gateway processes that serve the same topics.
 * Thread-safe.
 */
public interface Bus extends AutoCloseable {
    /** The id of this process: letters and digits. It is unique, and differs after every restart. */
    String processId();

    /** Whether other processes can be reached now. Always true for a bus without other processes. */
    boolean isAvailable();

    /** Whether a process is alive, by the last message received from it. True for this process. */
    boolean isAlive(String process);

    /**
     * Announces to the other processes that the ledger has grown. If they cannot be reached, they find out by polling.
     */
    void announceWrite(AppendedRange appendedRange);

    /** Returns a topic's channel, which still has to be opened. */
    InterProcessTopicChannel topicChannel(String topic);

    /**
     * Announces that this process stops, and closes the bus. The other processes remove its members from their topics
     * at once.
     */
    @Override
    void close();
}
