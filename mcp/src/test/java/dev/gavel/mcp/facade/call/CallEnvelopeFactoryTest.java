package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CallEnvelopeFactoryTest {
    private static final CallTarget TARGET = new CallTarget("files", "tools/call", "read_file");
    private static final String PARAMS = """
            {"name":"files__read_file","arguments":{"path":"a"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/logLevel":"info",\
            "io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{}}},\
            "traceparent":"00-1-2-03","progressToken":5}}""";

    /** A client that waits, with or without progress, or accepts a task. */
    private record WaitingClient(@Nullable ProgressNotificationFactory progress, boolean taskAccepted)
            implements InFlightClientRequest {
        @Override
        public boolean acceptsTask(String method) {
            return taskAccepted;
        }

        @Override
        public String id() {
            return "1";
        }

        @Override
        public ResponseChannel response() {
            throw new UnsupportedOperationException("nobody answers");
        }

        @Override
        public void onCallStarted(CallWaiter waiter) {}

        @Override
        public void respond(RpcMessage answer) {}

        @Override
        public void onCallDone(CallWaiter waiter) {}
    }

    private static final InFlightClientRequest WAITING_CLIENT =
            new WaitingClient(ProgressNotificationFactory.of(PARAMS), false);

    @Test
    void requestForwardsCapabilitiesWithoutTasks() {
        assertThat(CallEnvelopeFactory.requestPayload("q-1", TARGET, PARAMS, WAITING_CLIENT)
                        .toString())
                .contains("\"name\":\"read_file\"")
                .contains(
                        "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},\"extensions\":{\"a/b\":{}}}")
                .contains("\"io.modelcontextprotocol/logLevel\":\"info\"")
                .contains("\"progressToken\":\"q-1\"")
                .contains("traceparent")
                .doesNotContain("protocolVersion")
                .doesNotContain("clientInfo")
                .doesNotContain("io.modelcontextprotocol/tasks");
    }

    @Test
    void proposalOmitsClientMetadata() {
        assertThat(CallEnvelopeFactory.proposalPayload("m-1", TARGET, PARAMS, WAITING_CLIENT)
                        .toString())
                .isEqualTo(
                        "{\"method\":\"tools/call\",\"params\":{\"name\":\"read_file\",\"arguments\":{\"path\":\"a\"},"
                                + "\"_meta\":{\"traceparent\":\"00-1-2-03\",\"progressToken\":\"m-1\"}}}");
    }

    @Test
    void removesEmptyMetadata() {
        String params = "{\"name\":\"x\",\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":{}}}";
        assertThat(CallEnvelopeFactory.proposalPayload("t-1", TARGET, params, new WaitingClient(null, true))
                        .toString())
                .isEqualTo("{\"method\":\"tools/call\",\"params\":{\"name\":\"read_file\"}}");
    }
}
