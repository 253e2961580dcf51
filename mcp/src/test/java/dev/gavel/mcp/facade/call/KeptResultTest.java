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
import io.netty.util.concurrent.DefaultEventExecutor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the result of a call that ended before the client repeated it. */
final class KeptResultTest {
    private static final String PROPOSAL = "w-1";
    private static final CallResult RESULT = new CallResult.Completed(
            Json.parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}")
                    .orElseThrow(),
            true,
            Optional.empty());

    private static final CallDeduplicationKey KEY =
            CallDeduplicationKey.of("helper", new CallTarget("files", "tools/call", "delete_file"), "{}");

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final Member helper = new Member(
            "helper", CapabilitySet.compile(List.of("mcp.proposal.*")).orThrow());
    private final Gateway gateway = new Gateway(
            Map.of("t", new TopicConfig(List.of(helper), Optional.empty())),
            List.of(loop),
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

    @AfterEach
    void stop() {
        var _ = loop.shutdownGracefully();
    }

    private void onLoop(Runnable action) {
        loop.submit(action).syncUninterruptibly();
    }

    private PendingCall startDelivery(RecordingClient client) {
        PendingCall call = new PendingCall(topicCalls, caller, KEY, PROPOSAL, true);
        onLoop(() -> call.startDelivery(client));
        return call;
    }

    private void deliverTo(RecordingClient client) {
        PendingCall call = startDelivery(client);
        onLoop(() -> call.completeDelivery(RESULT));
    }

    private Optional<PendingCall> joinable() {
        return topicCalls.joinableCalls().find(KEY);
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

    private static void assertReceived(RecordingClient client) {
        assertThat(client.responses)
                .singleElement()
                .isInstanceOfSatisfying(
                        RpcMessage.ResultResponse.class,
                        response -> assertThat(response.result()).contains("\"dev.gavel/joined\":true"));
    }

    @Test
    void aClientThatReceivesTheResultLearnsThatItsCallWasJoined() {
        RecordingClient client = new RecordingClient(true);
        deliverTo(client);
        assertReceived(client);
        assertThat(isKept()).isFalse();
        assertThat(joinable()).isEmpty();
    }

    @Test
    void aCallThatIsRepeatedWhileTheDeliveryIsRecordedGetsTheResultToo() {
        RecordingClient gaveUp = new RecordingClient(true);
        RecordingClient again = new RecordingClient(true);
        PendingCall call = startDelivery(gaveUp);
        onLoop(() -> joinable().orElseThrow().join(caller, again));
        onLoop(() -> call.completeDelivery(RESULT));
        assertReceived(gaveUp);
        assertReceived(again);
        assertThat(isKept()).isFalse();
    }

    @Test
    void aCallWhoseResultAnotherProcessDeliveredIsMadeAgain() {
        RecordingClient client = new RecordingClient(true);
        PendingCall call = startDelivery(client);
        onLoop(() -> assertThat(call.stopDelivery())
                .extracting(PendingCall.WaitingRequest::clientRequest)
                .containsExactly(client));
        assertThat(client.responses).isEmpty();
        assertThat(joinable()).isEmpty();
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
        onLoop(client.waiter()::onUndelivered);
        assertThat(isKept()).isTrue();
    }

    @Test
    void itIsNotKeptIfTheClientReturnsToItsStream() {
        RecordingClient client = new RecordingClient(false);
        deliverTo(client);
        onLoop(client.waiter()::onDelivered);
        assertThat(isKept()).isFalse();
    }
}
