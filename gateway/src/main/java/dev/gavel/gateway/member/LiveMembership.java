package dev.gavel.gateway.member;

/**
 * A member's current capabilities in a topic and whether it was removed, shared by all of its open connections. All
 * connections of the member read their capabilities here. Thread-safe; only the topic changes it.
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

    /** The member with its current capabilities; after removal, with the last ones it had. */
    public Member member() {
        return member;
    }

    /** Whether the member was removed from the topic. A member that is added again gets a new membership. */
    public boolean isEnded() {
        return ended;
    }

    void update(Member newMember) {
        member = newMember;
    }

    void end() {
        ended = true;
    }
}
