package dev.gavel.mcpx.proposal;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;

/** Converts envelope payloads to JSON values and selects the call parameters that a reviewer is shown. Stateless. */
public final class PayloadJsonConverter {
    private static final String META = "_meta";

    private PayloadJsonConverter() {}

    /**
     * Returns the parameters of a proposed call that a reviewer must see: all of them, except a progress token that
     * only repeats the proposal's id.
     */
    public static Json visibleParams(Json params, String proposal) {
        Json ownProgressToken = Json.object().with("progressToken", Json.ofText(proposal));
        if (!params.at(META).equals(ownProgressToken)) {
            return params;
        }
        return Json.write(json -> {
            json.writeStartObject();
            params.members().forEach((name, value) -> {
                if (!name.equals(META)) {
                    json.writeName(name);
                    json.writeRawValue(value.raw());
                }
            });
            json.writeEndObject();
        });
    }

    /** Returns the payload of an envelope. */
    public static Json of(Envelope envelope) {
        return Json.parse(envelope.payload().toString()).orElseGet(Json::object);
    }
}
