package dev.gavel.gateway.routing;

import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.RejectionEffect;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells an envelope's sender, such as a connection or HTTP post, that the topic refused the envelope, had accepted it
 * before, or has processed it.
 */
public interface EnvelopeSenderCallback {
    /** The sender. */
    Member member();

    /** The hash of the token with which the sender authenticated; empty if this process sends in the member's name. */
    Optional<String> tokenHash();

    /**
     * The receiver of the same connection, which is sent the sender's own envelopes only as echoes; null if the sender
     * cannot receive.
     */
    @Nullable
    ConnectionDeliveryState receiver();

    /** Called when an envelope from this sender, or a part of it, is refused. */
    void onRefused(Failure failure, Instant now);

    /**
     * Called when the sender sent an envelope again that was accepted before. The argument is the envelope as it was
     * published then.
     */
    void onEcho(OutgoingEnvelope envelope);

    /** Whether a proposal of this sender is not stored if the sender waits for an equal one already. */
    default boolean joinsEqualProposal() {
        return false;
    }

    /**
     * Called when a proposal was not stored, because the sender waits for an equal one; see {@link
     * #joinsEqualProposal}.
     */
    default void onEqualProposal(String proposal) {}

    /**
     * Called when a rejection from this sender is recorded. A connection needs no such call: it receives the envelope,
     * and {@code system.proposal.rejected} for each proposal that the rejection closed.
     */
    default void onRejectionRecorded(List<RejectionEffect> effects) {}

    /**
     * Called when an envelope from this sender has been processed.
     *
     * @param accepted true if it was accepted, false if all of it was refused
     */
    void onSettled(boolean accepted);
}
