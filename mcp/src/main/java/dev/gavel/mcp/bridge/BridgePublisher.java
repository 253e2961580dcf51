package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReadResult;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.EnvelopeSyntax;
import java.time.Duration;
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

    /** How often a response is sent if the gateway refuses it for a reason that may pass. */
    private static final int MAX_ATTEMPTS = 20;

    private final String name;
    private final EnvelopeReader reader;
    private final UndeliveredMessageRecorder undelivered;
    private final SentResponses sentResponses = new SentResponses();
    private final NotificationRateLimiter rateLimiter = new NotificationRateLimiter();
    private volatile TopicConnector.@Nullable TopicSession connection;

    /**
     * Creates a publisher that is not connected to a topic yet.
     *
     * @param reader checks envelopes against the gateway's limits
     */
    BridgePublisher(String name, EnvelopeReader reader, UndeliveredMessageRecorder undelivered) {
        this.name = name;
        this.reader = reader;
        this.undelivered = undelivered;
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
        switch (check(envelope)) {
            case EnvelopeRefusal refusal -> respondUnsendable(topicRequest, refusal.message());
            case Envelope checked ->
                sendResponse(checked.id(), new SentResponses.SentResponse(topicRequest, envelope, 1));
        }
    }

    private void sendResponse(String envelopeId, SentResponses.SentResponse response) {
        sentResponses.add(envelopeId, response);
        send(
                response.envelope(),
                response.request().proposal().isPresent()
                        ? TopicConnector.DeliveryMode.DURABLE
                        : TopicConnector.DeliveryMode.NORMAL,
                reason -> sentResponses
                        .remove(envelopeId)
                        .ifPresent(unsent -> respondUnsendable(unsent.request(), reason)));
    }

    /**
     * Handles the gateway's refusal of an envelope. If it is a response, sends it again later, or sends the requester an
     * error instead. Returns false if the envelope is not such a response.
     */
    boolean onRefused(String envelopeId, GatewayRefusal refusal) {
        if (!refusal.isTemporary() && !refusal.isTooLarge()) {
            return false;
        }
        Optional<SentResponses.SentResponse> refused = sentResponses.remove(envelopeId);
        refused.ifPresent(response -> {
            if (refusal.isTemporary() && response.attempts() < MAX_ATTEMPTS) {
                sendLater(envelopeId, response.sentAgain(), refusal.retryAfter());
            } else {
                respondUnsendable(response.request(), refusal.message());
            }
        });
        return refused.isPresent();
    }

    private void sendLater(String envelopeId, SentResponses.SentResponse response, Duration delay) {
        Thread.ofVirtual().name("bridge " + name + " again").start(() -> {
            try {
                Thread.sleep(delay);
                sendResponse(envelopeId, response);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void respondUnsendable(TopicRequest topicRequest, String reason) {
        String problem = "The server's answer cannot be forwarded: " + reason;
        undelivered.record("the answer to " + topicRequest.method() + ": " + reason);
        sendChecked(
                topicRequest.responseEnvelope(RpcErrorCode.UNSENDABLE.toResponse("null", problem)),
                TopicConnector.DeliveryMode.NORMAL);
    }

    /** Records that a message of the server cannot be forwarded. */
    void recordUndelivered(String problem) {
        undelivered.record(problem);
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
        switch (check(envelope)) {
            case EnvelopeRefusal refusal -> undelivered.record(refusal.message());
            case Envelope _ -> send(envelope, deliveryMode, reason -> {});
        }
    }

    /**
     * Checks whether the gateway would accept the envelope. The check is made here because the gateway would not report
     * the refusal to the requester.
     */
    private EnvelopeReadResult check(byte[] envelope) {
        EnvelopeLimits limits = reader.limits();
        if (envelope.length > limits.answerBytes()) {
            return new EnvelopeRefusal(
                    EnvelopeErrorCode.TOO_LARGE,
                    "It has " + envelope.length + " bytes. The limit is " + limits.answerBytes()
                            + " bytes (limits.answer).",
                    null,
                    null,
                    EnvelopeSyntax.CURRENT);
        }
        return reader.read(envelope);
    }

    private void send(byte[] envelope, TopicConnector.DeliveryMode deliveryMode, Consumer<String> onFailure) {
        TopicConnector.TopicSession topicSession = connection;
        if (topicSession != null) {
            topicSession.send(envelope, deliveryMode, onFailure);
        }
    }
}
