package dev.gavel.sep.service;

import dev.gavel.mcpx.json.Json;
import java.time.Duration;

/** The result of a SEP operation: success with a JSON body, refusal, invalid request, not found, or unavailable. */
public sealed interface SepResult {
    /** It is done, or this is what was asked for. */
    record Success(Json body) implements SepResult {}

    /**
     * The answer is no.
     *
     * @param code a stable word for programs, such as {@code not-allowed}
     * @param message who may, what is missing, what would be accepted
     * @param details the same for programs: an object
     */
    record Refused(String code, String message, Json details) implements SepResult {}

    /** What was asked cannot be understood. */
    record InvalidRequest(String message) implements SepResult {}

    /** There is no such proposal. */
    record NotFound(String message) implements SepResult {}

    /** Nothing was kept, through no fault of whoever asked: it may be tried again. */
    record Unavailable(String reason, Duration retryAfter) implements SepResult {}
}
