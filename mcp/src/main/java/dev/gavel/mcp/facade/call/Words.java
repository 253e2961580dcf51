package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** What callers are told of their proposals. Stateless. */
public final class Words {
    /** What reviewers see of a caller that was told to call again. */
    static final String WILL_CALL_AGAIN =
            "the caller was told that this is pending, and will call again for the result";

    /** What reviewers see of a caller that was told to call again, did so, and need not any more. */
    static final String HELD_AS_TASK = "the caller has come back, and holds it as a task";

    /** What reviewers see of one that came back at another process than the one that had told it to. */
    static final String TAKEN_UP = "the caller has come back, and waits for it";

    /** Why a proposal is withdrawn that its proposer could never ask for. */
    public static final String UNTOLD = "the caller had gone before it was told the proposal's id";

    /** What a client is told where it is our fault. */
    public static final String FAILED = "Something went wrong here; the log says what.";

    /** What a client is told that came back too late. */
    static final String LOST = "Given up: your connection was lost for too long. Call again if you still want it.";

    /** What a client's model is told of the whole. */
    public static final String INSTRUCTIONS =
            "Some tools here need somebody's approval. Call them as usual: the call is then proposed, and its result comes"
                    + " when a person has approved it. If the answer says that the call is pending, it has not been"
                    + " done yet: do something else, look with gavel_status, and call again with the same arguments to"
                    + " get the result. If it says that the call was rejected, read the reason before you try anything"
                    + " else.";

    private Words() {}

    /** Whether the caller of a proposal has come back for it. */
    static boolean saysTakenUp(StatusGiven given) {
        return TAKEN_UP.equals(given.note()) || HELD_AS_TASK.equals(given.note());
    }

    /** Whether the caller of a proposal was told to call again. */
    static boolean saysWillCallAgain(ProposalView view) {
        return view.timeline().stream()
                .map(Step::event)
                .anyMatch(event -> event instanceof StatusGiven given
                        && given.by().equals(view.from())
                        && WILL_CALL_AGAIN.equals(given.note()));
    }

    /** What a client is told whose call runs when the process ends that it waits at. */
    static String stopped(String proposal) {
        return "Approved, and under way; but the gateway stopped before the answer came. See how it came out before you"
                + " call it again: call gavel_status with {\"proposal\": \"" + proposal + "\"}.";
    }

    /** It is not done yet, and the client waits no longer. */
    static Message pending(String id, Target target, String proposal, String status, boolean approved) {
        String words = "Pending: " + target.called()
                + (approved
                        ? " was approved, and has not answered yet: "
                        : " has not been done yet, it needs approval: ")
                + status + ". To look, call gavel_status with {\"proposal\": \"" + proposal
                + "\"}. To get the result, call " + target.called()
                + " again with the same arguments: that takes up this proposal and makes no second one.";
        return target.method().equals("tools/call")
                ? new Message.Response(
                        id,
                        Answers.text(words, false, meta(proposal, "pending")).raw())
                : RpcError.PENDING.failure(id, words, data(proposal, "pending"));
    }

    /** How it came out. */
    public static Message ending(String id, Target target, String proposal, Ending ending) {
        return switch (ending) {
            case Ending.Done(Json response) -> {
                Json error = response.at("error");
                Json result = response.at("result");
                yield error.there()
                        ? new Message.Failure(id, error.raw())
                        : switch (result.type()) {
                            case OBJECT -> new Message.Response(id, result.raw());
                            case MISSING -> new Message.Response(id, Answers.NOTHING);
                            default ->
                                RpcError.INTERNAL.failure(
                                        id,
                                        "Whoever runs " + target.called()
                                                + " answered with something that is no result of MCP.");
                        };
            }
            case Ending.NotDone(String state, String words) ->
                target.method().equals("tools/call")
                        ? new Message.Response(
                                id,
                                Answers.text(words, true, meta(proposal, state)).raw())
                        : RpcError.NOT_DONE.failure(id, words, data(proposal, state));
        };
    }

    private static Consumer<JsonGenerator> meta(String proposal, String state) {
        return json -> {
            json.writeObjectPropertyStart("_meta");
            json.writeStringProperty("dev.gavel/proposal", proposal);
            json.writeStringProperty("dev.gavel/state", state);
            json.writeEndObject();
        };
    }

    private static Json data(String proposal, String state) {
        return Answers.object(json -> {
            json.writeStringProperty("proposal", proposal);
            json.writeStringProperty("state", state);
        });
    }
}
