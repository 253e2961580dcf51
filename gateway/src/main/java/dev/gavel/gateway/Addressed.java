package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.proposal.Arrival;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.util.List;

/**
 * An admitted envelope whose recipients have been looked up.
 *
 * @param at when it arrived
 */
record Addressed(Sender sender, Envelope envelope, Recipients recipients, Instant at) {
    /** What is sent of it, where it is about no proposal. */
    Outgoing outgoing() {
        String from = sender.member().id();
        return recipients.resolved()
                ? new Outgoing(spelling -> envelope.encode(spelling, from, at, names()))
                : new Outgoing(spelling -> envelope.encode(spelling, from, at));
    }

    /** Tells its sender of recipients that lead nowhere. */
    void complain() {
        recipients.complaint().ifPresent(complaint -> refuse(ErrorCode.UNKNOWN_RECIPIENT, complaint, 0));
    }

    void refuse(ErrorCode code, String message, long retryAfterMillis) {
        Failure failure = Failure.of(envelope.refuse(code, message), null);
        sender.refused(retryAfterMillis == 0 ? failure : failure.retryAfter(retryAfterMillis), at);
    }

    Arrival arrival() {
        return new Arrival(envelope, sender.member().id(), names(), at);
    }

    private List<String> names() {
        return List.copyOf(recipients.names());
    }
}
