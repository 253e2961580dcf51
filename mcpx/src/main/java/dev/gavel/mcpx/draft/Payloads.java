package dev.gavel.mcpx.draft;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;

/** Payloads as JSON. Stateless. */
public final class Payloads {
    private Payloads() {}

    /** An envelope's payload. */
    public static Json of(Envelope envelope) {
        return Json.parse(envelope.payload().toString()).orElseGet(Json::object);
    }
}
