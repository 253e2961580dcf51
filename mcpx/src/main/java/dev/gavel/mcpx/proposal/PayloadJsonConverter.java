package dev.gavel.mcpx.proposal;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;

/** Converts envelope payloads to JSON values. Stateless. */
public final class PayloadJsonConverter {
    private PayloadJsonConverter() {}

    /** Returns the payload of an envelope. */
    public static Json of(Envelope envelope) {
        return Json.parse(envelope.payload().toString()).orElseGet(Json::object);
    }
}
