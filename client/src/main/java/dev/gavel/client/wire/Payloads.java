package dev.gavel.client.wire;

import dev.gavel.client.json.Json;
import dev.gavel.mcpx.Envelope;

/** Payloads as JSON. Stateless. */
public final class Payloads {
    private Payloads() {}

    /** An envelope's payload. */
    public static Json of(Envelope envelope) {
        return Json.parse(envelope.payload().toString()).orElseGet(Json::object);
    }
}
