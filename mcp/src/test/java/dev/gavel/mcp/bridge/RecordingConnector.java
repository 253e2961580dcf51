package dev.gavel.mcp.bridge;

import static org.awaitility.Awaitility.await;

import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A topic for tests of bridges that records the envelopes sent to it. */
final class RecordingConnector implements TopicConnector {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    final List<Json> sent = new CopyOnWriteArrayList<>();
    private volatile @Nullable SessionListener sessionListener;
    volatile boolean owner = true;
    volatile Consumer<TopicRequest> onUnanswered = topicRequest -> {};

    @Override
    public boolean isOwner() {
        return owner;
    }

    @Override
    public void findUnanswered(Consumer<TopicRequest> found) {
        onUnanswered = found;
    }

    @Override
    public TopicSession join(SessionListener listener) {
        sessionListener = listener;
        return new TopicSession() {
            private volatile boolean left;

            @Override
            public void send(byte[] envelope, DeliveryMode deliveryMode, Consumer<String> failed) {
                if (!left) {
                    sent.add(Json.parse(new String(envelope, StandardCharsets.UTF_8))
                            .orElseThrow());
                }
            }

            @Override
            public void close() {
                left = true;
            }
        };
    }

    void sendRequest(String id, String method, String params, String more) {
        sendRequestOf("alice", id, method, params, more);
    }

    void sendRequestOf(String member, String id, String method, String params, String more) {
        SessionListener to = sessionListener;
        if (to != null) {
            to.onEnvelope(("{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id
                            + "\",\"from\":\"" + member + "\",\"ts\":\"2026-01-05T10:00:00Z\",\"to\":[\"files\"],"
                            + more
                            + "\"kind\":\"mcp.request." + method + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":\""
                            + id
                            + "\",\"method\":\"" + method + "\",\"params\":" + params + "}}")
                    .getBytes(StandardCharsets.UTF_8));
        }
    }

    Json response(String id) {
        await().atMost(TIMEOUT).until(() -> find(id).isPresent());
        return find(id).orElseThrow();
    }

    Optional<Json> find(String id) {
        return sent.stream()
                .map(each -> each.at("payload"))
                .filter(each -> each.at("id").text().equals(id))
                .findFirst();
    }

    long count(String method) {
        return sent.stream()
                .filter(each -> each.at("payload").at("method").text().equals(method))
                .count();
    }
}
