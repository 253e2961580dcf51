package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * The approval that a reviewer is about to send: which arguments it edits, and where the call would run. A call is
 * assessed for such a draft, so that the reviewer confirms what would happen. Immutable.
 *
 * @param arguments the arguments that replace the proposed ones; empty if the call is approved as proposed
 * @param runner the member that is to run the call; empty if the reviewer has not chosen one
 */
public record ApprovalDraft(Optional<Json> arguments, Optional<String> runner) {
    /** The call as proposed, on any participant that can run it. */
    public static final ApprovalDraft AS_PROPOSED = new ApprovalDraft(Optional.empty(), Optional.empty());

    /** Returns the parameters of the drafted call, as the reviewer sees them. */
    Json shownParams(RawPayload shownPayload) {
        Json params = params(shownPayload);
        return arguments.map(other -> params.with("arguments", other)).orElse(params);
    }

    /** Returns the parameters of the drafted call with the secret values that its markers stand for. */
    Json fullParams(RawPayload shownPayload, RawPayload fullPayload) {
        Json full = params(fullPayload);
        return arguments.isEmpty() ? full : SecretArgumentPatterns.fillMarkers(shownParams(shownPayload), full);
    }

    private static Json params(RawPayload payload) {
        return Json.parse(payload.toString()).orElseGet(Json::object).at("params");
    }
}
