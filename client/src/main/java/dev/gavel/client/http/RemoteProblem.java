package dev.gavel.client.http;

import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * Describes why the gateway refused a request: HTTP status, stable code, explanation and retry time.
 *
 * @param status the HTTP status; zero where one of several things was refused and the rest taken
 * @param code a stable name, such as {@code proposal_closed}
 * @param detail a sentence for the person
 * @param retryAfterMillis when to try again; zero where time alone does not help
 * @param proposal the proposal it is about
 * @param state how that proposal stands
 * @param body everything that was said of it
 */
public record RemoteProblem(
        int status,
        String code,
        String detail,
        long retryAfterMillis,
        Optional<String> proposal,
        Optional<String> state,
        Json body) {
    /** One of which nothing more is known. */
    public RemoteProblem(
            int status,
            String code,
            String detail,
            long retryAfterMillis,
            Optional<String> proposal,
            Optional<String> state) {
        this(status, code, detail, retryAfterMillis, proposal, state, Json.object());
    }

    static RemoteProblem of(int status, Json body) {
        return new RemoteProblem(
                status,
                body.at("code").text(),
                body.at("detail").text(),
                body.at("retryAfterMs").asLong(0),
                body.at("proposal").asText(),
                body.at("state").asText(),
                body);
    }
}
