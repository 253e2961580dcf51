package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.EnvelopeReadResult;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a bridge's responses and notifications into its topic after checking them against the gateway's limits.
 * Nothing in here waits. Thread-safe.
 */
final class BridgePublisher {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    private final String name;
    private final EnvelopeReader reader;
    private final NotificationRateLimiter rateLimiter = new NotificationRateLimiter();
    private volatile TopicConnector.@Nullable TopicSession connection;

    /**
     * One that leads nowhere yet.
     *
     * @param reader holds envelopes to what the gateway takes
     */
    BridgePublisher(String name, EnvelopeReader reader) {
        this.name = name;
        this.reader = reader;
    }

    void open(TopicConnector.TopicSession to) {
        connection = to;
    }

    /** Leaves the topic. */
    void close() {
        TopicConnector.TopicSession from = connection;
        if (from != null) {
            from.close();
        }
    }

    /** Answers a request; where the answer cannot be sent, with an error that says so. */
    void respond(TopicRequest topicRequest, RpcMessage.Response response) {
        byte[] envelope = topicRequest.responseEnvelope(response);
        refusalReason(envelope)
                .ifPresentOrElse(
                        why -> respondUnsendable(topicRequest, why),
                        () -> send(
                                envelope,
                                topicRequest.proposal().isPresent()
                                        ? TopicConnector.DeliveryMode.DURABLE
                                        : TopicConnector.DeliveryMode.NORMAL,
                                why -> respondUnsendable(topicRequest, why)));
    }

    private void respondUnsendable(TopicRequest topicRequest, String why) {
        sendChecked(
                topicRequest.responseEnvelope(
                        RpcErrorCode.UNSENDABLE.toResponse("null", "the server's answer cannot be sent on: " + why)),
                TopicConnector.DeliveryMode.NORMAL);
    }

    /** Tells everybody, within what a server may say. */
    void broadcast(RpcMessage.Notification notification) {
        if (tryAcquireNotification()) {
            NotificationEnvelopes.broadcastEnvelope(notification).ifPresent(this::sendNotification);
        }
    }

    void sendNotification(byte[] envelope) {
        sendChecked(envelope, TopicConnector.DeliveryMode.BEST_EFFORT);
    }

    /** Whether the server may be passed on once more; it is logged from time to time how often it was not. */
    boolean tryAcquireNotification() {
        if (rateLimiter.tryAcquire()) {
            return true;
        }
        long dropped = rateLimiter.drainDroppedCount();
        if (dropped > 0) {
            log.warn("bridge {}: its server notifies too often; {} notifications were not passed on", name, dropped);
        }
        return false;
    }

    private void sendChecked(byte[] envelope, TopicConnector.DeliveryMode deliveryMode) {
        refusalReason(envelope)
                .ifPresentOrElse(
                        why -> log.warn("bridge {}: what its server says cannot be sent on: {}", name, why),
                        () -> send(envelope, deliveryMode, why -> {}));
    }

    /** Why the gateway would not take it: asked here, because nobody would hear of it there. */
    private Optional<String> refusalReason(byte[] envelope) {
        EnvelopeReadResult envelopeReadResult = reader.read(envelope);
        return envelopeReadResult instanceof EnvelopeRefusal refusal
                ? Optional.of(refusal.message())
                : Optional.empty();
    }

    private void send(byte[] envelope, TopicConnector.DeliveryMode deliveryMode, Consumer<String> failed) {
        TopicConnector.TopicSession to = connection;
        if (to != null) {
            to.send(envelope, deliveryMode, failed);
        }
    }
}
