package dev.gavel.gateway.bus;

/**
 * The interface through which the bus delivers envelopes, presence changes and availability changes to a topic, on the
 * topic's loop.
 */
public interface TopicBusListener {
    /** Something was sent in another process. */
    void onEnvelope(BusEnvelope busEnvelope);

    /** A member is present in another process, or is so in another way than before. */
    void onMemberPresent(String process, MemberPresence memberPresence);

    /** A member is present in another process no more; also told of all members of a process that is gone. */
    void onMemberAbsent(String process, String member);

    /**
     * The others cannot be reached, or can be again. Those known to be there stay so meanwhile, and for the length of a
     * lease after that.
     */
    void onReachable(boolean now);
}
