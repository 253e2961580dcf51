package dev.gavel.mcp.bridge;

import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.LinkEvent;
import dev.gavel.client.Participant;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeSyntax;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Joins a bridge to a topic of a remote gateway through the client library. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // the outcome is handled by callbacks
public final class RemoteTopicConnector implements TopicConnector {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    private final Supplier<Gavel> gateway;
    private final String member;

    /**
     * Creates a connector for this member.
     *
     * @param gateway creates a client configured with address, token and topic
     */
    public RemoteTopicConnector(Supplier<Gavel> gateway, String member) {
        this.gateway = gateway;
        this.member = member;
    }

    @Override
    public TopicSession join(SessionListener sessionListener) throws IOException {
        AtomicBoolean disconnected = new AtomicBoolean();
        Participant participant;
        try {
            participant = gateway.get()
                    .directed()
                    .onEnvelope(envelope -> sessionListener.onEnvelope(bytes(envelope)))
                    .onLink(event -> onLinkEvent(event, sessionListener, disconnected))
                    .connect();
        } catch (GavelException e) {
            throw isPermanent(e)
                    ? new JoinRefusedException(String.valueOf(e.getMessage()))
                    : new IOException(e.getMessage(), e);
        }
        if (!participant.id().equals(member)) {
            participant.close();
            throw new JoinRefusedException(wrongTokenMessage(participant.id(), member, participant.topic()));
        }
        participant
                .over()
                .thenAccept(cause -> sessionListener.onRemoved(String.valueOf(cause.getMessage()), isPermanent(cause)));
        OutboundEnvelopeQueue outboundEnvelopeQueue = new OutboundEnvelopeQueue(
                "bridge " + member + " sends", queuedEnvelope -> sendQueued(participant, queuedEnvelope));
        return new TopicSession() {
            @Override
            public void send(byte[] envelope, DeliveryMode deliveryMode, Consumer<String> onFailure) {
                if (!outboundEnvelopeQueue.offer(
                                new OutboundEnvelopeQueue.QueuedEnvelope(envelope, deliveryMode, onFailure))
                        && deliveryMode != DeliveryMode.BEST_EFFORT) {
                    log.warn(
                            "Bridge {}: an answer was dropped, because too many messages are waiting to be sent to"
                                    + " the gateway.",
                            member);
                    onFailure.accept("too many messages of the bridge are waiting to be sent to the gateway");
                }
            }

            @Override
            public void close() {
                outboundEnvelopeQueue.close();
                participant.close();
            }
        };
    }

    private void sendQueued(Participant participant, OutboundEnvelopeQueue.QueuedEnvelope queuedEnvelope) {
        CompletableFuture<Void> sendFuture;
        try {
            sendFuture = queuedEnvelope.deliveryMode() == DeliveryMode.DURABLE
                    ? participant.sendUntilStored(queuedEnvelope.envelope())
                    : participant.send(queuedEnvelope.envelope());
        } catch (GavelException | IllegalArgumentException e) {
            log.debug("Bridge {}: a message was not sent: {}", member, e.getMessage());
            queuedEnvelope.failureCallback().accept(String.valueOf(e.getMessage()));
            return;
        }
        sendFuture.whenComplete((_, failure) -> {
            if (failure instanceof GavelException.Refused || failure instanceof GavelException.Unreachable) {
                queuedEnvelope.failureCallback().accept(String.valueOf(failure.getMessage()));
            }
        });
    }

    /**
     * Whether another attempt cannot succeed: another connection has replaced this one, the member was expelled, or the
     * token is no longer valid.
     */
    private static boolean isPermanent(GavelException cause) {
        return cause instanceof GavelException.Replaced
                || cause instanceof GavelException.Expelled
                || cause instanceof GavelException.Unauthenticated;
    }

    /** Returns the message for a token that belongs to another member than the bridge's. */
    public static String wrongTokenMessage(String owner, String member, String topic) {
        return "the token belongs to '" + owner + "', but the bridge is named '" + member + "'; use the token of '"
                + member + "', which an admin creates with: " + createTokenCommand(member, topic);
    }

    /** Returns the command that creates a token for a bridge. */
    public static String createTokenCommand(String member, String topic) {
        return "gavel token create " + member + " --topic " + topic
                + " --capability 'mcp.response.*' --capability 'mcp.request.notifications/*'";
    }

    private static byte[] bytes(Envelope envelope) {
        return envelope.encode(EnvelopeSyntax.CURRENT, String.valueOf(envelope.from()), Instant.now());
    }

    private void onLinkEvent(LinkEvent event, SessionListener sessionListener, AtomicBoolean disconnected) {
        switch (event) {
            case LinkEvent.Up _ -> {
                if (disconnected.compareAndSet(true, false)) {
                    log.info("Bridge {}: reconnected to the gateway.", member);
                    sessionListener.onReconnect();
                }
            }
            case LinkEvent.Down(String cause) -> {
                if (disconnected.compareAndSet(false, true)) {
                    log.warn("Bridge {}: the connection to the gateway was lost ({}); reconnecting.", member, cause);
                }
            }
            case LinkEvent.Missed(long envelopes) ->
                log.warn("Bridge {}: {} envelopes were missed, because too many arrived at once.", member, envelopes);
            case LinkEvent.Resync _, LinkEvent.Over _ -> {}
        }
    }
}
