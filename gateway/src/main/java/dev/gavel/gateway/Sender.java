package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Receiver;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where envelopes come from, as a topic sees it; confined to the topic's loop. */
interface Sender {
    /** Who sends. */
    Member member();

    /** The receiver that is not sent what comes from here; none where the sender only sends. */
    @Nullable
    Receiver receiver();

    /** Takes a refusal of something that came from here. */
    void refused(Verdict.Refuse refusal, Instant now);
}
