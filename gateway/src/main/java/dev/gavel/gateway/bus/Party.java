package dev.gavel.gateway.bus;

/** What a topic hears over the bus; all of it on the topic's loop. */
public interface Party {
    /** Something was sent in another process. */
    void received(Parcel parcel);

    /** A member is present in another process, or is so in another way than before. */
    void came(String process, Stay stay);

    /** A member is present in another process no more; also told of all members of a process that is gone. */
    void left(String process, String member);

    /**
     * The others cannot be reached, or can be again. Those known to be there stay so meanwhile, and for the length of a
     * lease after that.
     */
    void reachable(boolean now);
}
