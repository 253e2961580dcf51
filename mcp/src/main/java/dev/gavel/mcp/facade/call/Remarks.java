package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.proposal.Outcome;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.draft.Drafts;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What the facade says of proposals, in their proposers' names and of its own accord. Confined to the topic's loop. */
public final class Remarks {
    private static final Kind CANCELLED = Kind.of("mcp.request.notifications/cancelled");
    private static final char LETTER = 'x';
    private static final int TRIES = 20;
    private static final long AGAIN_MILLIS = 3_000;

    private final Room room;

    Remarks(Room room) {
        this.room = room;
    }

    /**
     * Marks a proposal as one whose caller will call again, or has.
     *
     * @param then run once that is kept, or cannot be; where somebody waits for that, it is tried once
     */
    void mark(Caller caller, String proposal, Mark mark, Runnable then) {
        Map<String, String> payload = Map.of("status", "queued", "note", mark.words());
        say(
                caller.only("mcpx.status.proposal"),
                Drafts.remark(room.id(LETTER), "status", List.of(proposal), payload),
                mark == Mark.WILL_CALL_AGAIN ? 0 : TRIES,
                posted -> then.run(),
                then);
    }

    /** Withdraws a proposal in its proposer's name. */
    void withdraw(Caller caller, String proposal, String why) {
        withdraw(caller.only("mcpx.withdraw.proposal"), proposal, why);
    }

    void withdraw(Member proposer, String proposal, String why) {
        say(proposer, withdrawal(proposal, why), TRIES, posted -> {}, () -> {});
    }

    private byte[] withdrawal(String proposal, String why) {
        return Drafts.remark(room.id(LETTER), "withdraw", List.of(proposal), Map.of("reason", why));
    }

    /** Withdraws a proposal, or calls off what is run for it where it was approved in the meantime. */
    public void callOff(Caller caller, String proposal, String why) {
        say(
                caller.only("mcpx.withdraw.proposal"),
                withdrawal(proposal, why),
                TRIES,
                posted -> {
                    if (posted instanceof Posted.Refused) {
                        cancelRun(caller, proposal, why);
                    }
                },
                () -> {});
    }

    private void cancelRun(Caller caller, String proposal, String why) {
        room.records()
                .ifPresent(records -> room.onLoop(
                        records.view(caller.member(), proposal),
                        view -> view.map(seen -> Proposal.of(seen.timeline()).fulfilment())
                                .filter(fulfilment -> fulfilment.outcome() == Outcome.PENDING)
                                .ifPresent(fulfilment -> cancelRun(
                                        caller, fulfilment.request().sent().id(), fulfilment.addressees(), why)),
                        failure -> room.log("a proposal could not be called off", failure)));
    }

    /** Tells whoever runs a call that nobody wants it any more. */
    void cancelRun(Caller caller, String request, List<String> runners, String why) {
        byte[] envelope = EnvelopeDraft.of(room.id('n'), CANCELLED)
                .addressed(runners)
                .encode(Spelling.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("jsonrpc", "2.0");
                    json.writeStringProperty("method", "notifications/cancelled");
                    json.writeObjectPropertyStart("params");
                    json.writeStringProperty("requestId", request);
                    json.writeStringProperty("reason", why);
                    json.writeEndObject();
                    json.writeEndObject();
                });
        room.onLoop(
                room.dispatch(caller.only(CANCELLED.toString()), envelope),
                posted -> {},
                failure -> room.log("a call could not be cancelled", failure));
    }

    void notForwarded(String proposal, String why) {
        room.records().ifPresent(records -> records.notForwarded(proposal, why));
    }

    /** Says something; where the ledger is away for a moment, again: the same, so that it is not kept twice. */
    @SuppressWarnings("FutureReturnValueIgnored") // it happens, or the process ends before
    private void say(Member sender, byte[] envelope, int tries, Consumer<Posted> then, Runnable failed) {
        room.onLoop(
                room.dispatch(sender, envelope),
                posted -> {
                    if (tries > 0 && posted instanceof Posted.Refused(var failures) && isAway(failures)) {
                        room.topic()
                                .loop()
                                .schedule(
                                        () -> say(sender, envelope, tries - 1, then, failed),
                                        AGAIN_MILLIS,
                                        TimeUnit.MILLISECONDS);
                    } else {
                        then.accept(posted);
                    }
                },
                failure -> {
                    room.log("a remark on a proposal could not be sent", failure);
                    failed.run();
                });
    }

    /** Whether the ledger is away for a moment. */
    private static boolean isAway(List<Failure> failures) {
        return failures.stream().anyMatch(each -> each.error() == ErrorCode.UNAVAILABLE);
    }
}
