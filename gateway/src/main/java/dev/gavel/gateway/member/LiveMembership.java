package dev.gavel.gateway.member;

/**
 * A member's live entry in a topic: its current capabilities, updated while its connections are open, and whether it
 * was removed. What they may send there changes while they are connected, and everything they open there looks here for
 * it. Thread-safe; changed by the topic alone.
 */
public final class LiveMembership {
    private final String id;
    private volatile Member member;
    private volatile boolean ended;

    public LiveMembership(Member member) {
        this.id = member.id();
        this.member = member;
    }

    public String id() {
        return id;
    }

    /** What they may send now; once it is over, what they might send last. */
    public Member member() {
        return member;
    }

    /** Whether they were taken out of the topic. Who comes back has another membership. */
    public boolean isEnded() {
        return ended;
    }

    void update(Member now) {
        member = now;
    }

    void end() {
        ended = true;
    }
}
