package dev.gavel.client.link;

import dev.gavel.client.http.Problem;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/** Reads why an envelope was not taken. Stateless. */
final class Refusals {
    private Refusals() {}

    /** What a {@code system.error} says. */
    static Problem read(Envelope error) {
        Json payload = Payloads.of(error);
        return new Problem(
                0,
                payload.at("error").text(),
                payload.at("message").text(),
                payload.at("retryAfterMs").number(0),
                payload.at("proposal").ifText(),
                payload.at("state").ifText());
    }

    /** What it means that the gateway closed the connection because of a frame's size. */
    static Problem tooLarge() {
        return new Problem(
                0, "too_large", "the envelope is larger than the gateway takes", 0, Optional.empty(), Optional.empty());
    }
}
