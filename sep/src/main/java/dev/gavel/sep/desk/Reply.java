package dev.gavel.sep.desk;

import dev.gavel.mcpx.json.Json;
import java.time.Duration;

/** What the desk answers. */
public sealed interface Reply {
    /** It is done, or this is what was asked for. */
    record Done(Json body) implements Reply {}

    /**
     * The answer is no.
     *
     * @param code a stable word for programs, such as {@code not-allowed}
     * @param message who may, what is missing, what would be accepted
     * @param more the same for programs: an object
     */
    record Refused(String code, String message, Json more) implements Reply {}

    /** What was asked cannot be understood. */
    record Wrong(String message) implements Reply {}

    /** There is no such proposal. */
    record Unknown(String message) implements Reply {}

    /** Nothing was kept, through no fault of whoever asked: it may be tried again. */
    record Unavailable(String reason, Duration retryAfter) implements Reply {}
}
