package dev.gavel.gateway.routing;

import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.util.List;

/**
 * An admitted envelope on its way through a topic, with the sender that refusals are reported to and its resolved
 * recipients.
 *
 * @param at when it arrived
 */
public record AddressedEnvelope(
        EnvelopeSubmitter envelopeSubmitter, Envelope envelope, ResolvedRecipients recipients, Instant at) {
    /** Returns the envelope to deliver, for an envelope that concerns no proposal. */
    public OutgoingEnvelope toOutgoing() {
        String from = envelopeSubmitter.member().id();
        return recipients.resolved()
                ? new OutgoingEnvelope(syntaxVersion -> envelope.encode(syntaxVersion, from, at, names()))
                : new OutgoingEnvelope(syntaxVersion -> envelope.encode(syntaxVersion, from, at));
    }

    /** Reports recipients that match no member to the sender. */
    public void reportUnknownRecipients() {
        recipients.unknownMessage().ifPresent(message -> refuse(EnvelopeErrorCode.UNKNOWN_RECIPIENT, message, 0));
    }

    public void refuse(EnvelopeErrorCode code, String message, long retryAfterMillis) {
        Failure failure = Failure.of(envelope.refuse(code, message), null);
        envelopeSubmitter.onRefused(retryAfterMillis == 0 ? failure : failure.withRetryAfter(retryAfterMillis), at);
    }

    public AdmittedEnvelope toAdmittedEnvelope() {
        return new AdmittedEnvelope(envelope, envelopeSubmitter.member().id(), names(), at);
    }

    private List<String> names() {
        return List.copyOf(recipients.names());
    }
}
