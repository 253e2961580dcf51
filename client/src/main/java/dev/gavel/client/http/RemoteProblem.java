package dev.gavel.client.http;

import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * Describes why the gateway refused a request: HTTP status, stable code, explanation and retry time.
 *
 * @param status the HTTP status; 0 if only a part of the request was refused
 * @param code a stable code, such as {@code proposal_closed}
 * @param detail a sentence for people
 * @param retryAfterMillis the time to wait before a retry, in milliseconds; 0 if waiting alone does not help
 * @param proposal the proposal that the problem is about
 * @param state the state of that proposal
 * @param body the gateway's full description of the problem
 */
public record RemoteProblem(
        int status,
        String code,
        String detail,
        long retryAfterMillis,
        Optional<String> proposal,
        Optional<String> state,
        Json body) {
    /** Creates a problem without a body. */
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
