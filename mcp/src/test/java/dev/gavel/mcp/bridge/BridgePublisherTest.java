package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that the requester gets an answer if the gateway does not accept a response. */
final class BridgePublisherTest {
    private static final TopicRequest REQUEST = new TopicRequest(
            "r-1",
            "alice",
            Kind.of("mcp.request.tools/call:x"),
            "7",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            100);

    private final EnvelopeReader reader = new EnvelopeReader(EnvelopeLimits.DEFAULT.withBytes(10_000, 20_000));
    private final UndeliveredMessageRecorder undelivered = new UndeliveredMessageRecorder("files");
    private final BridgePublisher publisher = new BridgePublisher("files", reader, undelivered);
    private final List<Envelope> sent = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() {
        publisher.open(new TopicConnector.TopicSession() {
            @Override
            public void send(byte[] envelope, TopicConnector.DeliveryMode deliveryMode, Consumer<String> onFailure) {
                sent.add((Envelope) reader.read(envelope));
            }

            @Override
            public void close() {}
        });
    }

    private static RpcMessage.ResultResponse response(int length) {
        return new RpcMessage.ResultResponse("1", "{\"text\":\"" + "x".repeat(length) + "\"}");
    }

    private static GatewayRefusal refusal(String code, int retryMillis) {
        return new GatewayRefusal(code, "max_payload in NATS", Duration.ofMillis(retryMillis));
    }

    private Json lastPayload() {
        return PayloadJsonConverter.of(sent.getLast());
    }

    @Test
    void aResponseThatTheGatewayFindsTooLargeBecomesAnError() {
        publisher.respond(REQUEST, response(15_000));
        assertThat(publisher.onRefused(sent.getFirst().id(), refusal("too_large", 0)))
                .isTrue();
        assertThat(sent).hasSize(2);
        assertThat(sent.getLast().correlationIds()).containsExactly("r-1");
        assertThat(lastPayload().at("id").raw()).isEqualTo("7");
        assertThat(lastPayload().at("error").at("code").raw()).isEqualTo("-31004");
        assertThat(lastPayload().at("error").at("message").text()).contains("max_payload in NATS");
        assertThat(undelivered.messages().count()).isEqualTo(1);
    }

    @Test
    void aResponseThatTheGatewayRefusesForNowIsSentAgain() {
        publisher.respond(REQUEST, response(10));
        assertThat(publisher.onRefused(sent.getFirst().id(), refusal("unavailable", 1)))
                .isTrue();
        await().until(() -> sent.size() == 2);
        assertThat(sent.getLast().id()).isEqualTo(sent.getFirst().id());
        assertThat(lastPayload().at("result").isPresent()).isTrue();
    }

    @Test
    void aResponseThatTheGatewayNeverAcceptsBecomesAnError() {
        publisher.respond(REQUEST, response(10));
        String id = sent.getFirst().id();
        while (lastPayload().at("result").isPresent()) {
            int before = sent.size();
            assertThat(publisher.onRefused(id, refusal("unavailable", 1))).isTrue();
            await().until(() -> sent.size() > before);
        }
        assertThat(sent).hasSizeLessThan(30);
        assertThat(lastPayload().at("error").at("code").raw()).isEqualTo("-31004");
    }

    @Test
    void aRefusalOfAnotherEnvelopeCausesNoResponse() {
        publisher.respond(REQUEST, response(10));
        assertThat(publisher.onRefused("other", refusal("too_large", 0))).isFalse();
        assertThat(publisher.onRefused(sent.getFirst().id(), refusal("not_addressee", 0)))
                .isFalse();
        assertThat(sent).hasSize(1);
    }

    @Test
    void aResponseAboveTheLimitOfAnswersBecomesAnErrorThatNamesTheLimit() {
        publisher.respond(REQUEST, response(20_000));
        assertThat(lastPayload().at("error").at("message").text()).contains("20000 bytes (limits.answer)");
        assertThat(undelivered.messages().last()).contains("tools/call", "20000 bytes");
    }
}
