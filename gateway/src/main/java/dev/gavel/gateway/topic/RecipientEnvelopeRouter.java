package dev.gavel.gateway.topic;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.InterProcessTopicChannel;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.routing.AddressedEnvelope;
import dev.gavel.gateway.routing.ResolvedRecipients;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.SystemMessage;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Routes envelopes that concern no proposal to their recipients, directly in this process and over the bus in other
 * gateway processes. Confined to the topic's loop.
 */
final class RecipientEnvelopeRouter {
    private static final long RETRY_MILLIS = 1_000;

    private final SubscriberEnvelopeSender broadcaster;
    private final BiConsumer<String, Envelope> onRouted;
    private final LongSupplier publishedSeq;

    /** Null if there are no other processes. */
    private final @Nullable InterProcessTopicChannel busChannel;

    /**
     * Creates the router of a topic.
     *
     * @param onRouted is called with the sender and each envelope that was routed
     * @param seq the last seq that has been published in this process
     */
    RecipientEnvelopeRouter(
            SubscriberEnvelopeSender subscriberEnvelopeSender,
            BiConsumer<String, Envelope> onRouted,
            LongSupplier seq,
            @Nullable InterProcessTopicChannel topicChannel) {
        this.broadcaster = subscriberEnvelopeSender;
        this.onRouted = onRouted;
        this.publishedSeq = seq;
        this.busChannel = topicChannel;
    }

    /** Sends an envelope to its recipients. Returns the error code if it was refused. */
    Optional<EnvelopeErrorCode> route(AddressedEnvelope addressedEnvelope) {
        addressedEnvelope.reportUnknownRecipients();
        if (addressedEnvelope.recipients().matchesNobody()) {
            return Optional.of(EnvelopeErrorCode.UNKNOWN_RECIPIENT);
        }
        OutgoingEnvelope outgoingEnvelope = addressedEnvelope.toOutgoing();
        Optional<EnvelopeErrorCode> refused =
                busChannel == null ? Optional.empty() : sendToBus(busChannel, addressedEnvelope, outgoingEnvelope);
        if (refused.isPresent()) {
            return refused;
        }
        broadcaster.route(addressedEnvelope.sender().receiver(), addressedEnvelope.recipients(), outgoingEnvelope);
        onRouted.accept(addressedEnvelope.sender().member().id(), addressedEnvelope.envelope());
        return Optional.empty();
    }

    /** Sends an envelope to other processes. If that fails, reports the error to the sender and returns its code. */
    private Optional<EnvelopeErrorCode> sendToBus(
            InterProcessTopicChannel channel, AddressedEnvelope addressedEnvelope, OutgoingEnvelope outgoingEnvelope) {
        return switch (channel.send(toForwardedEnvelope(addressedEnvelope, outgoingEnvelope))) {
            case SENT -> Optional.empty();
            case UNAVAILABLE -> {
                addressedEnvelope.refuse(
                        EnvelopeErrorCode.UNAVAILABLE,
                        "Not sent: the gateways of this topic cannot reach each other, so some recipients would not get"
                                + " the envelope. Send it again in a moment.",
                        RETRY_MILLIS);
                yield Optional.of(EnvelopeErrorCode.UNAVAILABLE);
            }
            case TOO_LARGE -> {
                addressedEnvelope.refuse(
                        EnvelopeErrorCode.TOO_LARGE,
                        "Not sent: the envelope is larger than the gateways of this topic can send to each other"
                                + " (max_payload in NATS). Send a smaller envelope.",
                        0);
                yield Optional.of(EnvelopeErrorCode.TOO_LARGE);
            }
        };
    }

    private ForwardedEnvelope toForwardedEnvelope(
            AddressedEnvelope addressedEnvelope, OutgoingEnvelope outgoingEnvelope) {
        ResolvedRecipients recipients = addressedEnvelope.recipients();
        return new ForwardedEnvelope(
                publishedSeq.getAsLong(),
                addressedEnvelope.sender().member().id(),
                addressedEnvelope.receivedAt(),
                recipients.broadcast() ? Optional.empty() : Optional.of(List.copyOf(recipients.memberIds())),
                false,
                isForAllProcesses(addressedEnvelope.envelope(), recipients),
                outgoingEnvelope.encode(EnvelopeSyntax.CURRENT));
    }

    /** Every process stores the list of offered calls, whichever members are connected to it. */
    private static boolean isForAllProcesses(Envelope envelope, ResolvedRecipients recipients) {
        String method = envelope.kind().method();
        return recipients.memberIds().contains(SystemMessage.GATEWAY)
                || (envelope.category() == KindCategory.REQUEST
                        && method != null
                        && method.startsWith("notifications/")
                        && method.endsWith("/list_changed"));
    }

    /** Delivers an envelope that was sent in another process. */
    void deliverRemote(ForwardedEnvelope forwardedEnvelope, Envelope envelope) {
        ResolvedRecipients recipients = ResolvedRecipients.fromRemote(forwardedEnvelope.to());
        broadcaster.route(
                null,
                recipients,
                new OutgoingEnvelope(syntaxVersion ->
                        envelope.encode(syntaxVersion, forwardedEnvelope.from(), forwardedEnvelope.receivedAt())));
        onRouted.accept(forwardedEnvelope.from(), envelope);
    }
}
