package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where envelopes come from, as a topic sees it; confined to the topic's loop. */
interface Sender {
    /** Who sends. */
    Member member();

    /** The receiver that is not sent what comes from here, but gets echoes; none where the sender only sends. */
    @Nullable
    Receiver receiver();

    /** Takes the refusal of something that came from here, or of a part of it. */
    void refused(Failure failure, Instant now);

    /** Takes once more what was sent from here before. */
    void echoed(Outgoing envelope);

    /** Hears that an envelope from here has been dealt with: taken, or refused altogether. */
    void settled(boolean taken);
}
