package dev.gavel.gateway.routing;

import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.RejectionEffect;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Receives the outcome of an envelope that was sent without a connection, such as over HTTP, and completes its {@link
 * SubmitResult}. Confined to the topic's loop.
 */
public final class ConnectionlessSenderCallback implements EnvelopeSenderCallback {
    private final Member member;
    private final Optional<String> tokenHash;
    private final boolean joinsEqualProposal;
    private String acceptedId;
    private final List<Failure> failures = new ArrayList<>(0);
    private List<RejectionEffect> rejectionEffects = List.of();
    private final CompletableFuture<SubmitResult> result;

    /**
     * Creates the callback of one envelope.
     *
     * @param tokenHash the hash of the token with which the sender authenticated
     * @param joinsEqualProposal whether a proposal is not stored if the sender waits for an equal one
     */
    public ConnectionlessSenderCallback(
            Member member,
            Optional<String> tokenHash,
            String envelopeId,
            boolean joinsEqualProposal,
            CompletableFuture<SubmitResult> result) {
        this.member = member;
        this.tokenHash = tokenHash;
        this.acceptedId = envelopeId;
        this.joinsEqualProposal = joinsEqualProposal;
        this.result = result;
    }

    @Override
    public Member member() {
        return member;
    }

    @Override
    public Optional<String> tokenHash() {
        return tokenHash;
    }

    @Override
    public @Nullable ConnectionDeliveryState receiver() {
        return null;
    }

    @Override
    public void onRefused(Failure failure, Instant now) {
        failures.add(failure);
    }

    @Override
    public void onEcho(OutgoingEnvelope echoed) {
        // The SubmitResult already reports that the envelope was accepted.
    }

    @Override
    public boolean joinsEqualProposal() {
        return joinsEqualProposal;
    }

    @Override
    public void onEqualProposal(String proposal) {
        acceptedId = proposal;
    }

    @Override
    public void onRejectionRecorded(List<RejectionEffect> effects) {
        rejectionEffects = effects;
    }

    @Override
    public void onSettled(boolean accepted) {
        result.complete(
                accepted
                        ? new SubmitResult.Accepted(acceptedId, failures, rejectionEffects)
                        : new SubmitResult.Refused(failures));
    }
}
