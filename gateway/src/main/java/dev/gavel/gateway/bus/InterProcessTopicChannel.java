package dev.gavel.gateway.bus;

import java.util.concurrent.Executor;

/**
 * One topic's channel to the other gateway processes: sends envelopes to them and announces the presence of local
 * members. Thread-safe.
 */
public interface InterProcessTopicChannel {
    /**
     * Registers the topic's listener, and first reports the members that are already present in other processes. Called
     * once, before members join.
     *
     * @param loop runs the listener's calls one after the other, in the order in which one process sent them, including
     *     its write announcements ({@link RemoteLedgerWriteDispatcher#notifyWritten})
     */
    void open(Executor loop, TopicBusListener topicBusListener);

    /** Whether the bus can be reached now. */
    boolean isAvailable();

    /** Sends an envelope to the topic's other processes. */
    BusSendResult send(ForwardedEnvelope forwardedEnvelope);

    /** Announces to the other processes that a member is present here, or that its presence has changed. */
    void announcePresent(MemberPresence memberPresence);

    /** Announces to the other processes that a member is no longer present here. */
    void announceAbsent(String member);

    /**
     * Sets whether this process receives the envelopes that others send to the topic. It does not need them while no
     * receiver of the topic is connected here.
     */
    void setReceiving(boolean wanted);
}
