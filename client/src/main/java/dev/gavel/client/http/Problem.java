package dev.gavel.client.http;

import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * Why a gateway refused something.
 *
 * @param status the HTTP status; zero where one of several things was refused and the rest taken
 * @param code a stable name, such as {@code proposal_closed}
 * @param detail a sentence for the person
 * @param retryAfterMillis when to try again; zero where time alone does not help
 * @param proposal the proposal it is about
 * @param state how that proposal stands
 * @param all everything that was said of it
 */
public record Problem(
        int status,
        String code,
        String detail,
        long retryAfterMillis,
        Optional<String> proposal,
        Optional<String> state,
        Json all) {
    /** One of which nothing more is known. */
    public Problem(
            int status,
            String code,
            String detail,
            long retryAfterMillis,
            Optional<String> proposal,
            Optional<String> state) {
        this(status, code, detail, retryAfterMillis, proposal, state, Json.object());
    }

    static Problem of(int status, Json body) {
        return new Problem(
                status,
                body.at("code").text(),
                body.at("detail").text(),
                body.at("retryAfterMs").number(0),
                body.at("proposal").ifText(),
                body.at("state").ifText(),
                body);
    }
}
