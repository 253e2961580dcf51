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
 * Publishes a bridge's responses and notifications into its topic after checking them against the gateway's limits. No
 * method blocks. Thread-safe.
 */
final class BridgePublisher {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    private final String name;
    private final EnvelopeReader reader;
    private final NotificationRateLimiter rateLimiter = new NotificationRateLimiter();
    private volatile TopicConnector.@Nullable TopicSession connection;

    /**
     * Creates a publisher that is not connected to a topic yet.
     *
     * @param reader checks envelopes against the gateway's limits
     */
    BridgePublisher(String name, EnvelopeReader reader) {
        this.name = name;
        this.reader = reader;
    }

    void open(TopicConnector.TopicSession topicSession) {
        connection = topicSession;
    }

    /** Leaves the topic. */
    void close() {
        TopicConnector.TopicSession topicSession = connection;
        if (topicSession != null) {
            topicSession.close();
        }
    }

    /** Sends the response to a request. If the response cannot be sent, sends an error that says so. */
    void respond(TopicRequest topicRequest, RpcMessage.Response response) {
        byte[] envelope = topicRequest.responseEnvelope(response);
        refusalReason(envelope)
                .ifPresentOrElse(
                        reason -> respondUnsendable(topicRequest, reason),
                        () -> send(
                                envelope,
                                topicRequest.proposal().isPresent()
                                        ? TopicConnector.DeliveryMode.DURABLE
                                        : TopicConnector.DeliveryMode.NORMAL,
                                reason -> respondUnsendable(topicRequest, reason)));
    }

    private void respondUnsendable(TopicRequest topicRequest, String reason) {
        sendChecked(
                topicRequest.responseEnvelope(RpcErrorCode.UNSENDABLE.toResponse(
                        "null", "The server's answer cannot be forwarded: " + reason)),
                TopicConnector.DeliveryMode.NORMAL);
    }

    /** Sends a notification to all participants, unless the server has reached its rate limit. */
    void broadcast(RpcMessage.Notification notification) {
        if (tryAcquireNotification()) {
            NotificationEnvelopeFactory.broadcastEnvelope(notification).ifPresent(this::sendNotification);
        }
    }

    void sendNotification(byte[] envelope) {
        sendChecked(envelope, TopicConnector.DeliveryMode.BEST_EFFORT);
    }

    /** Whether one more notification of the server may be sent. From time to time, logs how many were dropped. */
    boolean tryAcquireNotification() {
        if (rateLimiter.tryAcquire()) {
            return true;
        }
        long dropped = rateLimiter.drainDroppedCount();
        if (dropped > 0) {
            log.warn(
                    "Bridge {}: the server sends notifications too fast; {} notifications were dropped.",
                    name,
                    dropped);
        }
        return false;
    }

    private void sendChecked(byte[] envelope, TopicConnector.DeliveryMode deliveryMode) {
        refusalReason(envelope)
                .ifPresentOrElse(
                        reason ->
                                log.warn("Bridge {}: a message from the server cannot be forwarded: {}", name, reason),
                        () -> send(envelope, deliveryMode, reason -> {}));
    }

    /**
     * Returns why the gateway would refuse the envelope. The check is made here because the gateway would not report
     * the refusal to the requester.
     */
    private Optional<String> refusalReason(byte[] envelope) {
        EnvelopeReadResult envelopeReadResult = reader.read(envelope);
        return envelopeReadResult instanceof EnvelopeRefusal refusal
                ? Optional.of(refusal.message())
                : Optional.empty();
    }

    private void send(byte[] envelope, TopicConnector.DeliveryMode deliveryMode, Consumer<String> onFailure) {
        TopicConnector.TopicSession topicSession = connection;
        if (topicSession != null) {
            topicSession.send(envelope, deliveryMode, onFailure);
        }
    }
}
