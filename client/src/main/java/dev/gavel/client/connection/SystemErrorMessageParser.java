package dev.gavel.client.connection;

import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.util.Optional;

/** Parses the gateway's {@code system.error} message, which says why the gateway refused an envelope. Stateless. */
final class SystemErrorMessageParser {
    private SystemErrorMessageParser() {}

    /** Returns the problem that a {@code system.error} reports. */
    static RemoteProblem read(Envelope error) {
        Json payload = PayloadJsonConverter.of(error);
        return new RemoteProblem(
                0,
                payload.at("error").text(),
                payload.at("message").text(),
                payload.at("retryAfterMs").asLong(0),
                payload.at("proposal").asText(),
                payload.at("state").asText());
    }

    /** Returns the problem for a connection that the gateway closed because of the size of a frame. */
    static RemoteProblem tooLargeProblem() {
        return new RemoteProblem(
                0, "too_large", "the envelope exceeds the gateway's size limit", 0, Optional.empty(), Optional.empty());
    }
}
