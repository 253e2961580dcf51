package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The envelope that makes a call, once there is one, and who runs it. Confined to the topic's loop. */
final class Run {
    private final Room room;
    private final Caller caller;
    private List<String> runners;
    private @Nullable String request;

    /**
     * A run that is yet to begin, or has just begun.
     *
     * @param request null where it is yet to be approved
     */
    Run(Room room, Caller caller, String runner, @Nullable String request) {
        this.room = room;
        this.caller = caller;
        this.runners = List.of(runner);
        this.request = request;
    }

    void begin(Fulfilled fulfilled) {
        request = fulfilled.sent().id();
        runners = fulfilled.sent().to();
    }

    boolean begun() {
        return request != null;
    }

    boolean by(String participant) {
        return runners.contains(participant);
    }

    /** Who runs it, in words. */
    String who() {
        return "'" + runners.getFirst() + "'";
    }

    /** Tells whoever runs it that nobody wants it any more. */
    void cancel(String why) {
        if (request != null) {
            room.remarks().cancelRun(caller, request, runners, why);
        }
    }
}
