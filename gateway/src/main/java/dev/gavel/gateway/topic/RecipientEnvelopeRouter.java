package dev.gavel.gateway.topic;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.InterProcessTopicChannel;
import dev.gavel.gateway.call.CallRecorder;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.routing.AddressedEnvelope;
import dev.gavel.gateway.routing.ResolvedRecipients;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.InputExcerptFormatter;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.SystemMessage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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

    private final Supplier<PresenceSnapshot> presence;

    /** Null if the topic has no ledger. */
    private final @Nullable CallRecorder callRecorder;

    private final Executor loop;

    /**
     * Creates the router of a topic.
     *
     * @param onRouted is called with the sender and each envelope that was routed
     * @param seq the last seq that has been published in this process
     * @param presence returns the members that are connected to any process
     * @param loop the topic's loop
     */
    RecipientEnvelopeRouter(
            SubscriberEnvelopeSender subscriberEnvelopeSender,
            BiConsumer<String, Envelope> onRouted,
            LongSupplier seq,
            Supplier<PresenceSnapshot> presence,
            @Nullable InterProcessTopicChannel topicChannel,
            @Nullable CallRecorder callRecorder,
            Executor loop) {
        this.broadcaster = subscriberEnvelopeSender;
        this.onRouted = onRouted;
        this.publishedSeq = seq;
        this.presence = presence;
        this.busChannel = topicChannel;
        this.callRecorder = callRecorder;
        this.loop = loop;
    }

    /** Whether an envelope is a call that is routed only when the ledger has recorded it. */
    boolean mustWait(Envelope envelope) {
        return callRecorder != null && callRecorder.mustWait(envelope);
    }

    /** Whether a call with this id, without a proposal, is not answered yet. */
    boolean hasOpenCall(String id) {
        return callRecorder != null && callRecorder.hasOpenCall(id);
    }

    /**
     * Sends an envelope to its recipients; a call that must wait, once it is recorded.
     *
     * @param callback receives the error code, if the envelope was refused; it is called at once if the envelope need
     *     not wait
     */
    void route(AddressedEnvelope addressedEnvelope, Consumer<Optional<EnvelopeErrorCode>> callback) {
        if (callRecorder != null
                && callRecorder.mustWait(addressedEnvelope.envelope())
                && callRecorder.idUse(addressedEnvelope) == CallRecorder.IdUse.NEW) {
            callRecorder.recordDurably(
                    addressedEnvelope,
                    problem -> loop.execute(() -> callback.accept(
                            problem.isPresent()
                                    ? refuseUnrecorded(callRecorder, addressedEnvelope, problem.get())
                                    : route(addressedEnvelope, true))));
        } else {
            callback.accept(routeNow(addressedEnvelope));
        }
    }

    /** Sends an envelope that need not wait to its recipients. Returns the error code if it was refused. */
    Optional<EnvelopeErrorCode> routeNow(AddressedEnvelope addressedEnvelope) {
        return switch (callRecorder == null ? CallRecorder.IdUse.NEW : callRecorder.idUse(addressedEnvelope)) {
            case NEW -> route(addressedEnvelope, false);
            // The recipient may have missed it. A bridge that runs it already ignores it.
            case RESENT -> deliver(addressedEnvelope);
            case RESENT_TOO_EARLY -> Optional.empty();
            case REUSED -> {
                addressedEnvelope.refuse(
                        EnvelopeErrorCode.DUPLICATE_ID,
                        "Not sent: another call of yours has the id "
                                + InputExcerptFormatter.quote(
                                        addressedEnvelope.envelope().id())
                                + " and is not answered yet. Send this call with a new id.",
                        0);
                yield Optional.of(EnvelopeErrorCode.DUPLICATE_ID);
            }
        };
    }

    private static Optional<EnvelopeErrorCode> refuseUnrecorded(
            CallRecorder recorder, AddressedEnvelope addressedEnvelope, String problem) {
        recorder.onNotDelivered(addressedEnvelope);
        addressedEnvelope.refuse(
                EnvelopeErrorCode.UNAVAILABLE,
                "Not sent: this topic records every call before it is made (audit: sync), and the record cannot be"
                        + " written: " + problem + ". Send the call again later.",
                RETRY_MILLIS);
        return Optional.of(EnvelopeErrorCode.UNAVAILABLE);
    }

    private Optional<EnvelopeErrorCode> route(AddressedEnvelope addressedEnvelope, boolean recorded) {
        if (callRecorder == null) {
            return deliver(addressedEnvelope);
        }
        callRecorder.onRoute(addressedEnvelope, recorded);
        Optional<EnvelopeErrorCode> refused = deliver(addressedEnvelope);
        if (refused.isPresent()) {
            callRecorder.onNotDelivered(addressedEnvelope);
        }
        return refused;
    }

    private Optional<EnvelopeErrorCode> deliver(AddressedEnvelope addressedEnvelope) {
        addressedEnvelope.reportUnknownRecipients();
        if (addressedEnvelope.recipients().matchesNobody()) {
            return Optional.of(EnvelopeErrorCode.UNKNOWN_RECIPIENT);
        }
        if (isCallToAbsentMembers(addressedEnvelope)) {
            // The gateway does not store calls for later, so the caller would wait in vain.
            addressedEnvelope.refuse(
                    EnvelopeErrorCode.UNKNOWN_RECIPIENT,
                    "Not sent. Not connected: "
                            + String.join(", ", addressedEnvelope.recipients().memberIds())
                            + ". Send the call again later, or to a connected participant.",
                    0);
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

    private boolean isCallToAbsentMembers(AddressedEnvelope addressedEnvelope) {
        ResolvedRecipients recipients = addressedEnvelope.recipients();
        // Without a ledger, a topic forwards envelopes to every observer, whether their addressees are connected or
        // not.
        return callRecorder != null
                && CallRecorder.isCall(addressedEnvelope.envelope())
                && !recipients.broadcast()
                && !recipients.memberIds().contains(SystemMessage.GATEWAY)
                && !presence.get().anyPresent(recipients.memberIds());
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
        if (callRecorder != null) {
            callRecorder.onRemoteEnvelope(
                    forwardedEnvelope.from(), envelope, recipients, forwardedEnvelope.receivedAt());
        }
        broadcaster.route(
                null,
                recipients,
                new OutgoingEnvelope(syntaxVersion ->
                        envelope.encode(syntaxVersion, forwardedEnvelope.from(), forwardedEnvelope.receivedAt())));
        onRouted.accept(forwardedEnvelope.from(), envelope);
    }
}
