package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.json.Json;

/**
 * Recognizes the response with which a participant reports that a call was cancelled. The call may have run
 * nevertheless. Stateless.
 */
public final class CancellationResponse {
    private static final long CODE = -32800;

    private CancellationResponse() {}

    /** Whether an envelope is a response with the JSON-RPC error code of a cancelled request. */
    public static boolean matches(Envelope envelope) {
        return envelope.category() == KindCategory.RESPONSE
                && envelope.payloadFields().failed()
                && Json.parse(envelope.payload().toString())
                                .orElseGet(Json::object)
                                .at("error")
                                .at("code")
                                .asLong(0)
                        == CODE;
    }
}
