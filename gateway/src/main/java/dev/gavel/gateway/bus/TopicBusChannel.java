package dev.gavel.gateway.bus;

import java.util.concurrent.Executor;

/**
 * One topic's access to the bus: sends envelopes to other processes and announces the presence of local members.
 * Thread-safe.
 */
public interface TopicBusChannel {
    /**
     * Has a party told of the others from now on, and first of who is present already; once, before anybody comes.
     *
     * @param loop where the party is called, one call after the other, in the order in which one process sent it, its
     *     growths ({@link RemoteLedgerWriteNotifier#notifyWritten}) among them
     */
    void open(Executor loop, TopicBusListener topicBusListener);

    /** Whether the bus can be reached now. */
    boolean isAvailable();

    /** Sends something to the topic's other processes. */
    BusSendResult send(BusEnvelope busEnvelope);

    /** Lets others know that a member is here, or is here in another way than before. */
    void announcePresent(MemberPresence memberPresence);

    /** Lets others know that a member is here no more. */
    void announceAbsent(String member);

    /** Whether to be brought what others send here: not worth its while where nobody is here who is to hear it. */
    void setReceiving(boolean wanted);
}
