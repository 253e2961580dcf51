package dev.gavel.gateway.routing;

import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.util.List;

/**
 * An envelope that a topic has admitted, with its resolved recipients and a callback that tells the sender of a
 * refusal.
 *
 * @param receivedAt when it arrived
 */
public record AddressedEnvelope(
        EnvelopeSenderCallback sender, Envelope envelope, ResolvedRecipients recipients, Instant receivedAt) {
    /** Returns the envelope to deliver, for an envelope that concerns no proposal. */
    public OutgoingEnvelope toOutgoing() {
        String from = sender.member().id();
        return recipients.rewritesTo()
                ? new OutgoingEnvelope(
                        syntaxVersion -> envelope.encode(syntaxVersion, from, receivedAt, recipientIds()))
                : new OutgoingEnvelope(syntaxVersion -> envelope.encode(syntaxVersion, from, receivedAt));
    }

    /** Reports recipients that match no member to the sender. */
    public void reportUnknownRecipients() {
        recipients
                .unmatchedEntriesMessage()
                .ifPresent(message -> refuse(EnvelopeErrorCode.UNKNOWN_RECIPIENT, message, 0));
    }

    public void refuse(EnvelopeErrorCode code, String message, long retryAfterMillis) {
        Failure failure = Failure.of(envelope.refuse(code, message), null);
        sender.onRefused(retryAfterMillis == 0 ? failure : failure.withRetryAfter(retryAfterMillis), receivedAt);
    }

    public AdmittedEnvelope toAdmittedEnvelope() {
        return new AdmittedEnvelope(envelope, sender.member().id(), recipientIds(), receivedAt)
                .withTokenHash(sender.tokenHash())
                .withJoinsEqualProposal(sender.joinsEqualProposal());
    }

    private List<String> recipientIds() {
        return List.copyOf(recipients.memberIds());
    }
}
