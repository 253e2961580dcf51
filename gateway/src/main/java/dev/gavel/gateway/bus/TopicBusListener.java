package dev.gavel.gateway.bus;

/**
 * The interface through which the bus delivers envelopes, presence changes and availability changes to a topic, on the
 * topic's loop.
 */
public interface TopicBusListener {
    /** A member sent an envelope in another process. */
    void onEnvelope(ForwardedEnvelope forwardedEnvelope);

    /** A member is present in another process, or its presence there has changed. */
    void onMemberPresent(String process, MemberPresence memberPresence);

    /** A member is no longer present in another process. Also called for every member of a process that is gone. */
    void onMemberAbsent(String process, String member);

    /**
     * The other processes cannot be reached, or can be reached again. During an outage the members of other processes
     * stay present, and after it for the duration of one lease.
     */
    void onReachabilityChanged(boolean reachable);
}
