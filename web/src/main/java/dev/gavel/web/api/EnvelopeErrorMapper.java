package dev.gavel.web.api;

import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.web.http.HttpProblem;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Maps the errors of a refused envelope to an HTTP status and a problem response. Stateless. */
final class EnvelopeErrorMapper {
    private EnvelopeErrorMapper() {}

    /**
     * Returns the response to a refused envelope. The first error determines the status; the response lists all errors.
     */
    static HttpProblem toProblem(List<Failure> failures) {
        Failure first = failures.getFirst();
        Map<String, Object> extensions = new LinkedHashMap<>(details(first));
        if (failures.size() > 1) {
            extensions.put("errors", toJson(failures));
        }
        return new HttpProblem(
                status(first.error()),
                first.error().wireName(),
                first.message(),
                Objects.requireNonNullElse(first.retryAfterMs(), 0L),
                extensions);
    }

    /** The errors as a JSON array. */
    static JsonArray toJson(List<Failure> failures) {
        JsonArray list = new JsonArray();
        for (Failure failure : failures) {
            JsonObject entry =
                    new JsonObject().put("code", failure.error().wireName()).put("detail", failure.message());
            details(failure).forEach(entry::put);
            list.add(entry);
        }
        return list;
    }

    private static Map<String, String> details(Failure failure) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (failure.proposal() != null) {
            fields.put("proposal", failure.proposal());
        }
        if (failure.state() != null) {
            fields.put("state", failure.state());
        }
        return fields;
    }

    private static int status(EnvelopeErrorCode code) {
        return switch (code) {
            case MALFORMED, UNSUPPORTED_PROTOCOL, KIND_PAYLOAD_MISMATCH, FULFILMENT_MISMATCH, INVALID_ARGUMENTS -> 400;
            case IDENTITY_MISMATCH,
                    RESERVED_NAMESPACE,
                    ACCESS_ENDED,
                    CAPABILITY_VIOLATION,
                    NOT_PROPOSER,
                    OWN_PROPOSAL,
                    APPROVAL_REQUIRED,
                    NOT_ADDRESSEE -> 403;
            case UNKNOWN_PROPOSAL, UNKNOWN_RECIPIENT, UNKNOWN_TOOL -> 404;
            case DUPLICATE_ID, PROPOSAL_CLOSED, ALREADY_FULFILLED, DEFINITION_CHANGED -> 409;
            case TOO_LARGE -> 413;
            case RATE_LIMITED, ASK_LIMIT, QUOTA_EXCEEDED -> 429;
            case UNAVAILABLE -> 503;
        };
    }
}
