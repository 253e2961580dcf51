package dev.gavel.client;

import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a proposal ended, as its proposer receives it: succeeded, failed, unknown, rejected, withdrawn, expired or
 * refused. Every case is immutable.
 */
public sealed interface End {
    /** Returns the proposal's id. */
    String proposal();

    /**
     * The call was run and succeeded.
     *
     * @param approvedBy the reviewer who approved the proposal, and so the sender of the request
     * @param result the MCP result
     * @param edited the call as it was run, if the reviewer edited it
     */
    record Succeeded(String proposal, String approvedBy, Json result, Optional<Call> edited) implements End {
        /** Returns the texts of the result, separated by line breaks. */
        public String text() {
            return texts(result);
        }
    }

    /**
     * The call was run and failed.
     *
     * @param approvedBy the reviewer who approved the proposal, and so the sender of the request
     * @param answer the JSON-RPC error, or the tool result that reports the failure
     * @param edited the call as it was run, if the reviewer edited it
     */
    record Failed(String proposal, String approvedBy, Json answer, Optional<Call> edited) implements End {
        /** Returns the error message, or the texts of the tool result. */
        public String text() {
            return answer.at("message").asText().orElseGet(() -> texts(answer));
        }
    }

    /**
     * The outcome is unknown: the proposal was approved, but the participant that was to run the call left or did not
     * answer in time. The client also reports this if the ledger no longer has the proposal. The call may have been
     * run.
     *
     * @param why the cause, in a few words
     */
    record Unknown(String proposal, String why) implements End {}

    /**
     * The proposal was rejected.
     *
     * @param reasons the rejections with their senders, the last one last
     */
    record Rejected(String proposal, List<Rejection> reasons) implements End {
        public Rejected {
            reasons = List.copyOf(reasons);
        }
    }

    /** The proposer withdrew the proposal; or the gateway did, because the proposer lost its access. */
    record Withdrawn(String proposal, Optional<String> reason) implements End {}

    /** No reviewer decided the proposal in time. */
    record Expired(String proposal) implements End {}

    /** The gateway did not accept the proposal, so it was never open. */
    record Refused(String proposal, RemoteProblem problem) implements End {}

    private static String texts(Json result) {
        return result.at("content").elements().stream()
                .map(each -> each.at("text").text())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
    }
}
