package dev.gavel.gateway.routing;

import dev.gavel.gateway.delivery.EnvelopeReceiver;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The interface through which a topic reports refusals, echoes and completion to an envelope's sender, such as a
 * connection or an HTTP post.
 */
public interface EnvelopeSenderCallback {
    /** The sender. */
    Member member();

    /** The receiver that is not sent this origin's envelopes but gets echoes; null if the sender only sends. */
    @Nullable
    EnvelopeReceiver receiver();

    /** Called when an envelope from this origin, or a part of it, is refused. */
    void onRefused(Failure failure, Instant now);

    /** Called with an envelope that this origin sent before. */
    void onEcho(OutgoingEnvelope envelope);

    /**
     * Called when an envelope from this origin has been processed.
     *
     * @param accepted true if it was accepted, false if all of it was refused
     */
    void onSettled(boolean accepted);
}
