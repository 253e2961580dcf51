package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.RawPayload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An admitted envelope as input to the proposal rules: the envelope, the ids of its sender and recipients, and its time
 * of receipt.
 *
 * @param from its authenticated sender
 * @param to the members that its {@code to} resolves to, including {@code can:} entries; empty for a broadcast
 * @param receivedAt when the gateway received it
 * @param tokenHash the hash of the token with which its sender authenticated; empty if the process itself sent it
 * @param schemaSecrets for a proposal or its approval, the patterns of the arguments that the tool's schema marks as
 *     secret
 * @param sentPayload the payload as sent, if it had markers that the gateway replaced by the proposed values
 * @param joinsEqualProposal for a proposal, whether to join an equal one that its sender waits for, and store nothing
 */
public record AdmittedEnvelope(
        Envelope envelope,
        String from,
        List<String> to,
        Instant receivedAt,
        Optional<String> tokenHash,
        SecretArgumentPatterns schemaSecrets,
        @Nullable RawPayload sentPayload,
        boolean joinsEqualProposal) {
    public AdmittedEnvelope {
        to = List.copyOf(to);
    }

    public AdmittedEnvelope(Envelope envelope, String from, List<String> to, Instant receivedAt) {
        this(envelope, from, to, receivedAt, Optional.empty(), SecretArgumentPatterns.NONE, null, false);
    }

    /** Returns the envelope with the hash of its sender's token. */
    public AdmittedEnvelope withTokenHash(Optional<String> hash) {
        return new AdmittedEnvelope(
                envelope, from, to, receivedAt, hash, schemaSecrets, sentPayload, joinsEqualProposal);
    }

    /** Returns the envelope of a proposal that is not stored if its sender waits for an equal one. */
    public AdmittedEnvelope withJoinsEqualProposal(boolean joins) {
        return new AdmittedEnvelope(envelope, from, to, receivedAt, tokenHash, schemaSecrets, sentPayload, joins);
    }

    /** Returns the envelope with the secrets of the tool's schema. */
    public AdmittedEnvelope withSchemaSecrets(SecretArgumentPatterns secrets) {
        return new AdmittedEnvelope(
                envelope, from, to, receivedAt, tokenHash, secrets, sentPayload, joinsEqualProposal);
    }

    /** Returns the envelope with the proposed values in place of its markers. */
    AdmittedEnvelope withRestoredPayload(RawPayload restored) {
        return new AdmittedEnvelope(
                StoredEnvelope.of(this).withPayload(restored).envelope(),
                from,
                to,
                receivedAt,
                tokenHash,
                schemaSecrets,
                envelope.payload(),
                joinsEqualProposal);
    }
}
