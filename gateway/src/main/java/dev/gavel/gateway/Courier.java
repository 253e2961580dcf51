package dev.gavel.gateway;

import dev.gavel.gateway.bus.Line;
import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.SystemMessage;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is about no proposal to those it is for, here and in other processes; to nobody where the others cannot be
 * reached, since then a topic would be two. Confined to the topic's loop.
 */
final class Courier {
    private static final long RETRY_MILLIS = 1_000;

    private final Audience audience;
    private final BiConsumer<String, Envelope> heard;
    private final LongSupplier seq;

    /** Null where there are no other processes. */
    private final @Nullable Line line;

    /**
     * The courier of a topic.
     *
     * @param heard is told, with its sender, of everything that was sent
     * @param seq the last seq that everybody here has been told of
     */
    Courier(Audience audience, BiConsumer<String, Envelope> heard, LongSupplier seq, @Nullable Line line) {
        this.audience = audience;
        this.heard = heard;
        this.seq = seq;
        this.line = line;
    }

    /** Sends something to those it is for; says why it went nowhere, where it did. */
    Optional<ErrorCode> route(Addressed addressed) {
        addressed.complain();
        if (addressed.recipients().nobody()) {
            return Optional.of(ErrorCode.UNKNOWN_RECIPIENT);
        }
        Outgoing outgoing = addressed.outgoing();
        Optional<ErrorCode> refused = line == null ? Optional.empty() : sent(line, addressed, outgoing);
        if (refused.isPresent()) {
            return refused;
        }
        audience.route(addressed.sender().receiver(), addressed.recipients(), outgoing);
        heard.accept(addressed.sender().member().id(), addressed.envelope());
        return Optional.empty();
    }

    /** Sends it to other processes; says why not, and tells its sender, where that cannot be. */
    private Optional<ErrorCode> sent(Line others, Addressed addressed, Outgoing outgoing) {
        return switch (others.send(parcel(addressed, outgoing))) {
            case SENT -> Optional.empty();
            case AWAY -> {
                addressed.refuse(
                        ErrorCode.UNAVAILABLE,
                        "Not sent: the gateways of this topic cannot reach each other, and it would not reach"
                                + " everybody. Send it again in a moment.",
                        RETRY_MILLIS);
                yield Optional.of(ErrorCode.UNAVAILABLE);
            }
            case TOO_LARGE -> {
                addressed.refuse(
                        ErrorCode.TOO_LARGE,
                        "Not sent: it has more bytes than the gateways of this topic can send each other at once"
                                + " (max_payload of NATS). Send less.",
                        0);
                yield Optional.of(ErrorCode.TOO_LARGE);
            }
        };
    }

    private Parcel parcel(Addressed addressed, Outgoing outgoing) {
        Recipients recipients = addressed.recipients();
        return new Parcel(
                seq.getAsLong(),
                addressed.sender().member().id(),
                addressed.at(),
                recipients.broadcast() ? Optional.empty() : Optional.of(List.copyOf(recipients.names())),
                false,
                isForGateways(addressed.envelope(), recipients),
                outgoing.in(Spelling.CURRENT));
    }

    /** Every process keeps a list of what is on offer, whoever is connected to it. */
    private static boolean isForGateways(Envelope envelope, Recipients recipients) {
        String method = envelope.kind().method();
        return recipients.names().contains(SystemMessage.GATEWAY)
                || (envelope.rule() == KindRule.REQUEST
                        && method != null
                        && method.startsWith("notifications/")
                        && method.endsWith("/list_changed"));
    }

    /** Hands on what was sent in another process. */
    void deliver(Parcel parcel, Envelope envelope) {
        Recipients recipients = Recipients.resolved(parcel.to());
        audience.route(
                null, recipients, new Outgoing(spelling -> envelope.encode(spelling, parcel.from(), parcel.at())));
        heard.accept(parcel.from(), envelope);
    }
}
