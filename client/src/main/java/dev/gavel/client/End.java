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
    /** The proposal's id. */
    String proposal();

    /**
     * It was carried out, and it worked.
     *
     * @param approvedBy who sent the request
     * @param result the result as MCP has it
     */
    record Succeeded(String proposal, String approvedBy, Json result) implements End {
        /** The texts of the result, each on lines of its own. */
        public String text() {
            return texts(result);
        }
    }

    /**
     * It was carried out, and it did not work.
     *
     * @param approvedBy who sent the request
     * @param answer the JSON-RPC error, or the result of a tool that says it failed
     */
    record Failed(String proposal, String approvedBy, Json answer) implements End {
        /** What went wrong, in words. */
        public String text() {
            return answer.at("message").asText().orElseGet(() -> texts(answer));
        }
    }

    /**
     * It was approved, and nobody said what came of it: whoever was to run it left or did not answer in time. It may have
     * been done.
     *
     * @param why in a word or two
     */
    record Unknown(String proposal, String why) implements End {}

    /** It was rejected; by whom and why, the last reason last. */
    record Rejected(String proposal, List<Rejection> reasons) implements End {
        public Rejected {
            reasons = List.copyOf(reasons);
        }
    }

    /** It was withdrawn by this identity. */
    record Withdrawn(String proposal, Optional<String> reason) implements End {}

    /** Nobody decided it in time. */
    record Expired(String proposal) implements End {}

    /** The gateway did not take it: it was never open. */
    record Refused(String proposal, RemoteProblem problem) implements End {}

    private static String texts(Json result) {
        return result.at("content").elements().stream()
                .map(each -> each.at("text").text())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
    }
}
