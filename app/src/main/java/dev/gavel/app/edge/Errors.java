package dev.gavel.app.edge;

import dev.gavel.gateway.Verdict;
import dev.gavel.mcpx.ErrorCode;

/** How the errors of envelopes look in HTTP: the same codes, each with the status that fits. Stateless. */
final class Errors {
    private Errors() {}

    static Problem problem(Verdict.Refuse refused) {
        ErrorCode code = refused.refusal().code();
        return new Problem(status(code), code.wire(), refused.refusal().message(), refused.retryAfterMillis());
    }

    private static int status(ErrorCode code) {
        return switch (code) {
            case MALFORMED, UNSUPPORTED_PROTOCOL, KIND_PAYLOAD_MISMATCH, FULFILMENT_MISMATCH -> 400;
            case IDENTITY_MISMATCH,
                    RESERVED_NAMESPACE,
                    CAPABILITY_VIOLATION,
                    NOT_PROPOSER,
                    OWN_PROPOSAL,
                    NOT_ADDRESSEE -> 403;
            case UNKNOWN_PROPOSAL, UNKNOWN_RECIPIENT -> 404;
            case DUPLICATE_ID, PROPOSAL_CLOSED, ALREADY_FULFILLED -> 409;
            case TOO_LARGE -> 413;
            case RATE_LIMITED -> 429;
            case UNAVAILABLE -> 503;
        };
    }
}
