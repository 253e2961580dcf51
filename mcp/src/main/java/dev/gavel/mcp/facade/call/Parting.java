package dev.gavel.mcp.facade.call;

import org.jspecify.annotations.Nullable;

/** Tells a caller to call again, once any process would know of it that is called next. Confined to the topic's loop. */
final class Parting {
    private final Room room;
    private final Caller caller;
    private final String proposal;

    /** Null where nobody is to be told anything. */
    private @Nullable Runnable telling;

    Parting(Room room, Caller caller, String proposal) {
        this.room = room;
        this.caller = caller;
        this.proposal = proposal;
    }

    /** Has it kept that the caller will call again, and then says so. */
    void begin(Runnable then) {
        telling = then;
        room.remarks().mark(caller, proposal, Mark.WILL_CALL_AGAIN, this::now);
    }

    /** Says so now, where that is still to be said. */
    void now() {
        Runnable then = telling;
        telling = null;
        if (then != null) {
            then.run();
        }
    }
}
