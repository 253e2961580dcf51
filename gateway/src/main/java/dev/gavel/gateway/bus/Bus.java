package dev.gavel.gateway.bus;

import dev.gavel.ledger.AppendedRange;

/**
 * Carries envelopes, presence and ledger write announcements between the gateway processes that serve the same topics.
 * Thread-safe.
 */
public interface Bus extends AutoCloseable {
    /** This process, by a name no other has, nor this one after it was started anew: letters and digits. */
    String process();

    /** Whether others can be reached now. Where there are none by design, they always can. */
    boolean isAvailable();

    /** Whether a process is there, by the last that was heard of it. This one is. */
    boolean isAlive(String process);

    /** Tells the others that the ledger has grown; where they cannot be reached they find out by themselves. */
    void announceWrite(AppendedRange appendedRange);

    /** A topic's end of it, which is yet to be opened. */
    TopicBusChannel topicChannel(String topic);

    /** Takes leave: what this process had in topics is gone for the others at once. */
    @Override
    void close();
}
