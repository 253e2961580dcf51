package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** What callers are told of their proposals. Stateless. */
public final class Words {
    /** Why a proposal is withdrawn that its proposer could never ask for. */
    public static final String UNTOLD = "the caller had gone before it was told the proposal's id";

    /** What a client is told where it is our fault. */
    public static final String FAILED = "Something went wrong here; the log says what.";

    /** How a call stands where the process ends before that could be read. */
    static final String STOPPING = "the gateway is stopping";

    /** How a call stands whose end cannot be handed out, since that could not be kept. */
    static final String AWAY = "it has come to an end, but the ledger cannot be written to now";

    /** Why nobody waits for a call any more. */
    static final String LEFT = "the caller's connection was lost";

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

    /** What a client is told whose call was approved, and runs, when the process ends that it waits at. */
    static Message cutOff(String id, Target target, String proposal) {
        return ending(
                id,
                target,
                proposal,
                new Ending.NotDone(
                        "fulfilled",
                        "Approved, and under way; but the gateway stopped before the answer came. See how it came out"
                                + " before you call it again: call gavel_status with {\"proposal\": \"" + proposal
                                + "\"}."));
    }

    /** The same of a call that needed no approval. */
    static Message unanswered(String id, Target target, String runner) {
        return RpcError.UNAVAILABLE.failure(
                id,
                "The gateway stopped before " + runner + " answered; whether " + target.called()
                        + " was done is unknown.");
    }

    /** The same of a call that was to be proposed. */
    static Message unproposed(String id, Target target) {
        return RpcError.UNAVAILABLE.failure(
                id,
                "The gateway stopped before it was known that " + target.called()
                        + " is proposed. It has not been done; call it again.");
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

    /** It is over, and the client waited for it at one process while another call of theirs was given it elsewhere. */
    static Message givenToAnother(String id, Target target, String proposal) {
        String words = "Another call of yours was given the result of " + target.called()
                + ". To look at it, call gavel_status with {\"proposal\": \"" + proposal
                + "\"}. Calling it again would propose it anew.";
        return target.method().equals("tools/call")
                ? new Message.Response(
                        id,
                        Answers.text(words, false, meta(proposal, "forwarded")).raw())
                : RpcError.NOT_DONE.failure(id, words, data(proposal, "forwarded"));
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
