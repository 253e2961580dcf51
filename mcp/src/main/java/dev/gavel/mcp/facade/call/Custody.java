package dev.gavel.mcp.facade.call;

import org.jspecify.annotations.Nullable;

/**
 * Which process keeps a call's end for its caller: the one that marked its proposal last. The ledger orders the marks, and
 * takes none after the end; so no two processes keep it. Confined to the topic's loop.
 */
final class Custody {
    private final Room room;
    private final Caller caller;
    private final String proposal;
    private String keeper;

    /** Whether a mark was told here: what was read before that is old. */
    private boolean told;

    /** Whether a mark of ours is on its way to the ledger, and whether one of others' was there before it. */
    private boolean marking;

    private boolean overtaken;

    /** Answers a client that is to call again, as soon as that is kept; null where there is none. */
    private @Nullable Runnable parting;

    /** Of a call that was begun here. */
    Custody(Room room, Caller caller, String proposal) {
        this.room = room;
        this.caller = caller;
        this.proposal = proposal;
        this.keeper = room.process();
    }

    /** The last mark, as it was read. */
    void read(Mark mark) {
        if (!told) {
            keeper = mark.process();
        }
    }

    /**
     * Has it known that its caller will call again, which any process can take up then.
     *
     * @param then tells the caller so
     */
    void part(Runnable then) {
        parting = then;
        room.remarks().mark(caller, proposal, Mark.Note.WILL_CALL_AGAIN, this::partNow);
    }

    /** Tells the caller whom that is still to be told, if there is one. */
    void partNow() {
        Runnable then = parting;
        parting = null;
        if (then != null) {
            then.run();
        }
    }

    /**
     * Keeps it here from now on; whoever else did hears of it.
     *
     * @param lost run where others did so after all
     */
    void take(Runnable lost) {
        if (room.shared() && !marking && !keeper.equals(room.process())) {
            marking = true;
            room.remarks().mark(caller, proposal, Mark.Note.TAKEN_UP, () -> {
                marking = false;
                if (overtaken) {
                    lost.run();
                }
            });
        }
    }

    /** A mark was told; whether another process keeps it by that, which did not before. */
    boolean isLostBy(Mark mark) {
        told = true;
        keeper = mark.process();
        boolean ours = keeper.equals(room.process());
        // What comes before a mark of ours does not count: that will be the last.
        overtaken = !ours && marking;
        return !ours && !marking && mark.note() != Mark.Note.WILL_CALL_AGAIN;
    }

    /** Whether its end is kept here, as things stand now: whoever is gone keeps nothing. */
    boolean isOurs() {
        return keeper.equals(room.process()) || !room.isAlive(keeper);
    }
}
