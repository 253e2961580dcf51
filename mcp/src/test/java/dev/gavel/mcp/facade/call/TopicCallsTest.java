package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.ReviewDecisionSubmitter;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.EnvelopeLimits;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TopicCallsTest {
    private final List<RpcMessage> responses = new ArrayList<>();

    private static TopicCalls topicCalls() {
        InstantSource clock = InstantSource.system();
        Gateway gateway = new Gateway(
                Map.of("t", new TopicConfig(List.of(), Optional.empty())),
                List.of(ImmediateEventExecutor.INSTANCE),
                new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1, 1),
                FairExecutor.unlimited(Runnable::run),
                clock);
        Topic topic = gateway.topic("t").orElseThrow();
        return new TopicCalls(
                topic,
                gateway,
                new CatalogRegistry(gateway, clock, _ -> Set.of()),
                new ReviewDecisionSubmitter(gateway, clock),
                clock);
    }

    /** A client that records its responses. */
    private final class RecordingClient implements InFlightClientRequest {
        @Override
        public String id() {
            return "7";
        }

        @Override
        public ResponseChannel response() {
            throw new UnsupportedOperationException("responses are recorded");
        }

        @Override
        public @Nullable ProgressNotificationFactory progress() {
            return null;
        }

        @Override
        public void onCallStarted(CallWaiter waiter) {}

        @Override
        public void respond(RpcMessage answer) {
            responses.add(answer);
        }

        @Override
        public void onCallDone(CallWaiter waiter) {}
    }

    @Test
    void aClientWhoseCallbackThrowsGetsOneErrorWithAnId() {
        topicCalls()
                .respondOnLoop(
                        CompletableFuture.completedFuture("value"),
                        new RecordingClient(),
                        value -> {
                            throw new IllegalStateException("unexpected " + value);
                        },
                        failure -> {});
        assertThat(responses).singleElement().isInstanceOfSatisfying(RpcMessage.ErrorResponse.class, response -> {
            assertThat(response.id()).isEqualTo("7");
            assertThat(response.code()).isEqualTo(RpcErrorCode.INTERNAL.code());
            assertThat(response.message()).matches("Internal error e-[0-9a-f]+ in the gateway\\. .*");
        });
    }
}
