package dev.gavel.gateway.routing;

import dev.gavel.gateway.delivery.EnvelopeReceiver;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The source of an envelope, such as a connection or an HTTP post, to which the topic reports refusals, echoes and
 * completion.
 */
public interface EnvelopeOrigin {
    /** Who sends. */
    Member member();

    /** The receiver that is not sent what comes from here, but gets echoes; none where the sender only sends. */
    @Nullable
    EnvelopeReceiver receiver();

    /** Takes the refusal of something that came from here, or of a part of it. */
    void onRefused(Failure failure, Instant now);

    /** Takes once more what was sent from here before. */
    void onEcho(OutgoingEnvelope envelope);

    /** Hears that an envelope from here has been dealt with: taken, or refused altogether. */
    void onSettled(boolean taken);
}
