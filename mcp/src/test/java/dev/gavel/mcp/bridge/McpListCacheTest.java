package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.bridge.McpListCache.ListType;
import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.client.McpTransport;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // initialized before each test
final class McpListCacheTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final List<RpcMessage.Request> requests = new ArrayList<>();
    private final Server server = new Server();
    private McpListCache mcpListCache;

    /** A server that responds to {@code initialize} and leaves all other requests unanswered. */
    private final class Server implements McpTransport {
        private @Nullable Receiver receiver;

        @Override
        public void open(Receiver to) {
            receiver = to;
        }

        @Override
        public void send(RpcMessage message) {
            if (message instanceof RpcMessage.Request request) {
                if (request.method().equals("initialize")) {
                    deliver(new RpcMessage.ResultResponse(
                            request.id(), "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}"));
                } else if (request.method().equals("server/discover")) {
                    deliver(RpcErrorCode.METHOD_NOT_FOUND.toResponse(request.id(), "not here"));
                } else {
                    requests.add(request);
                }
            }
        }

        void deliver(RpcMessage message) {
            if (receiver != null) {
                receiver.onMessage(message);
            }
        }

        @Override
        public void close() {}
    }

    private static final class IgnoringListener implements McpClientSession.SessionListener {
        @Override
        public void onNotification(RpcMessage.Notification notification) {}

        @Override
        public void onClose(String reason) {}
    }

    @BeforeEach
    void open() throws Exception {
        mcpListCache = new McpListCache(McpClientSession.open(
                () -> server, new IgnoringListener(), new McpClientSession.ClientInfo("test", "1"), TIMEOUT));
    }

    private void answer(int index, String result) {
        server.deliver(new RpcMessage.ResultResponse(requests.get(index).id(), result));
    }

    @Test
    void fetchesChangedListOneAtATime() {
        CompletableFuture<RpcMessage.Response> first = mcpListCache.get(ListType.TOOLS);
        for (int i = 0; i < 10_000; i++) {
            mcpListCache.onNotification("notifications/tools/list_changed");
        }
        CompletableFuture<RpcMessage.Response> later = mcpListCache.get(ListType.TOOLS);
        assertThat(requests).hasSize(1);

        answer(0, "{\"tools\":[]}");
        assertThat(first).isDone();
        assertThat(later).isNotDone();
        assertThat(requests).hasSize(2);

        answer(1, "{\"tools\":[{}]}");
        assertThat(later).isDone();
        assertThat(requests).hasSize(2);
        assertThat(mcpListCache.count(ListType.TOOLS)).hasValue(1);
    }

    @Test
    void failsExpiredFetchAndFetchesAgain() {
        CompletableFuture<RpcMessage.Response> list = mcpListCache.get(ListType.TOOLS);
        mcpListCache.expireFetches(Duration.ofHours(1));
        assertThat(list).isNotDone();
        mcpListCache.expireFetches(Duration.ZERO);
        assertThat(list).isCompletedWithValueMatching(response -> response instanceof RpcMessage.ErrorResponse);

        CompletableFuture<RpcMessage.Response> retried = mcpListCache.get(ListType.TOOLS);
        answer(1, "{\"tools\":[]}");
        assertThat(retried).isCompletedWithValueMatching(response -> response instanceof RpcMessage.ResultResponse);
    }

    @Test
    void normalizesListResult() {
        CompletableFuture<RpcMessage.Response> list = mcpListCache.get(ListType.TOOLS);
        answer(0, "{\"resultType\":null,\"tools\":[{ }]}");
        assertThat(list)
                .isCompletedWithValueMatching(
                        response -> response instanceof RpcMessage.ResultResponse(String _, String result)
                                && result.equals("{\"tools\":[{ }]}"));
    }
}
