package dev.gavel.faults.repeatedcalls;

import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.Optional;

/**
 * What an MCP client received for a call. Immutable.
 *
 * @param state the state of the proposal in {@code _meta}; empty if there is none
 * @param proposal the proposal in {@code _meta}; empty if there is none
 * @param at when the client received it
 */
record CallResponse(Type type, String text, String state, String proposal, Instant at) {
    /** The part of an answer which says that the call was running when the gateway shut down. */
    private static final String INTERRUPTED = "was running when the gateway shut down";

    /** The kinds of responses. After all except {@code FINAL}, the client calls again. */
    enum Type {
        /** The result of the call, or that it was not run. */
        FINAL,
        /** There is no result yet. */
        PENDING,
        /** A JSON-RPC error or an HTTP status other than 200. */
        ERROR,
        /** The connection ended without a response. */
        LOST
    }

    static CallResponse parse(Json response) {
        Json result = response.at("result");
        if (!result.isPresent()) {
            return new CallResponse(Type.ERROR, response.at("error").raw(), "", "", Instant.now());
        }
        String text = result.at("content").elements().stream()
                .findFirst()
                .map(content -> content.at("text").text())
                .orElse("");
        String state = result.at("_meta").at("dev.gavel/state").text();
        Type type = state.equals("pending") || text.contains(INTERRUPTED) ? Type.PENDING : Type.FINAL;
        return new CallResponse(
                type, text, state, result.at("_meta").at("dev.gavel/proposal").text(), Instant.now());
    }

    static CallResponse httpStatus(int status, String body) {
        return new CallResponse(Type.ERROR, "HTTP " + status + " " + body, "", "", Instant.now());
    }

    static CallResponse lost(String reason) {
        return new CallResponse(Type.LOST, reason, "", "", Instant.now());
    }

    boolean isFinal() {
        return type == Type.FINAL;
    }

    /** The number of the run whose result this is; empty if it is not the tool's own result. */
    Optional<ToolRun.Name> run() {
        return state.isEmpty() && isFinal() ? ToolRun.Name.parse(text) : Optional.empty();
    }

    @Override
    public String toString() {
        return type + (state.isEmpty() ? "" : " (" + state + " " + proposal + ")") + ": "
                + (text.length() > 140 ? text.substring(0, 140) + "…" : text);
    }
}
