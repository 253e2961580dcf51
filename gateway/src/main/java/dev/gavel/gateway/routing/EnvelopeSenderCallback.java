package dev.gavel.gateway.routing;

import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tells an envelope's sender, such as a connection or HTTP post, that the topic refused the envelope, had accepted it
 * before, or has processed it.
 */
public interface EnvelopeSenderCallback {
    /** The sender. */
    Member member();

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

    /**
     * Called when an envelope from this sender has been processed.
     *
     * @param accepted true if it was accepted, false if all of it was refused
     */
    void onSettled(boolean accepted);
}
