package dev.gavel.sep.service;

import dev.gavel.mcpx.json.Json;
import java.time.Duration;

/** The result of a SEP operation: success with a JSON body, refusal, invalid request, not found, or unavailable. */
public sealed interface SepResult {
    /** The operation succeeded. */
    record Success(Json body) implements SepResult {}

    /**
     * The operation was refused.
     *
     * @param code a stable code for programs, such as {@code not-allowed}
     * @param message who may do it, what is missing, or what would be accepted
     * @param details the same for programs, as a JSON object
     */
    record Refused(String code, String message, Json details) implements SepResult {}

    /** The request is invalid. */
    record InvalidRequest(String message) implements SepResult {}

    /** There is no such SEP. */
    record NotFound(String message) implements SepResult {}

    /** Nothing was stored, for a reason that is not the caller's fault. The caller may retry. */
    record Unavailable(String reason, Duration retryAfter) implements SepResult {}
}
