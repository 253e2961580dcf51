package dev.gavel.gateway.bus;

/**
 * Receives, on a topic's event loop, envelopes and presence changes from other gateway processes, and whether those
 * processes can be reached.
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
