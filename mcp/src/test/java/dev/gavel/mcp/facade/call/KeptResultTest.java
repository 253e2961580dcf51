package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.ReviewDecisionSubmitter;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.json.Json;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the result of a call that ended before the client repeated it. */
final class KeptResultTest {
    private static final String PROPOSAL = "w-1";
    private static final CallResult RESULT = new CallResult.Completed(
            Json.parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}")
                    .orElseThrow(),
            true,
            Optional.empty());

    private final Member helper = new Member(
            "helper", CapabilitySet.compile(List.of("mcp.proposal.*")).orThrow());
    private final Gateway gateway = new Gateway(
            Map.of("t", new TopicConfig(List.of(helper), Optional.empty())),
            List.of(ImmediateEventExecutor.INSTANCE),
            new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1, 1),
            FairExecutor.unlimited(Runnable::run),
            InstantSource.system());
    private final Topic topic = gateway.topic("t").orElseThrow();
    private final TopicCalls topicCalls = new TopicCalls(
            topic,
            gateway,
            new CatalogRegistry(gateway, InstantSource.system(), _ -> Set.of()),
            new ReviewDecisionSubmitter(gateway, InstantSource.system()),
            InstantSource.system());
    private final FacadeCaller caller = new FacadeCaller(
            topic.membership("helper").orElseThrow(), new RevocableAccessGrant(), PendingCallSettings.DEFAULT, true);

    private void deliverTo(RecordingClient client) {
        CallDeduplicationKey key =
                CallDeduplicationKey.of("helper", new CallTarget("files", "tools/call", "delete_file"), "{}");
        new PendingCall(topicCalls, caller, key, PROPOSAL, true).deliverKept(client, RESULT);
    }

    private boolean isKept() {
        return topicCalls.uncollectedResults().contains("helper", PROPOSAL);
    }

    /** A client that records its responses, and may be disconnected. */
    private static final class RecordingClient implements InFlightClientRequest, ResponseChannel {
        private final List<RpcMessage> responses = new ArrayList<>();
        private final boolean connected;
        private @Nullable CallWaiter waiter;

        RecordingClient(boolean connected) {
            this.connected = connected;
        }

        @Override
        public String id() {
            return "7";
        }

        @Override
        public ResponseChannel response() {
            return this;
        }

        @Override
        public @Nullable ProgressNotificationFactory progress() {
            return null;
        }

        @Override
        public void onCallStarted(CallWaiter callWaiter) {
            waiter = callWaiter;
        }

        CallWaiter waiter() {
            assertThat(waiter).isNotNull();
            return waiter;
        }

        @Override
        public void respond(RpcMessage answer) {
            responses.add(answer);
        }

        @Override
        public void onCallDone(CallWaiter callWaiter) {}

        @Override
        public boolean hasReader() {
            return connected;
        }

        @Override
        public boolean isClosed() {
            return false;
        }

        @Override
        public void start() {}

        @Override
        public void send(String line) {}

        @Override
        public void complete(RpcMessage message) {
            responses.add(message);
        }

        @Override
        public void close() {}
    }

    @Test
    void aClientThatReceivesTheResultLearnsThatItsCallWasJoined() {
        RecordingClient client = new RecordingClient(true);
        deliverTo(client);
        assertThat(client.responses)
                .singleElement()
                .isInstanceOfSatisfying(
                        RpcMessage.ResultResponse.class,
                        response -> assertThat(response.result()).contains("\"dev.gavel/joined\":true"));
        assertThat(isKept()).isFalse();
    }

    @Test
    void itIsKeptIfTheClientDisconnectedWhileTheDeliveryWasRecorded() {
        deliverTo(new RecordingClient(false));
        assertThat(isKept()).isTrue();
    }

    @Test
    void itIsKeptIfTheClientDisconnectsBeforeItHasReadTheResult() {
        RecordingClient client = new RecordingClient(true);
        deliverTo(client);
        client.waiter().onUndelivered();
        assertThat(isKept()).isTrue();
    }

    @Test
    void itIsNotKeptIfTheClientReturnsToItsStream() {
        RecordingClient client = new RecordingClient(false);
        deliverTo(client);
        client.waiter().onDelivered();
        assertThat(isKept()).isFalse();
    }
}
