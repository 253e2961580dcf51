package dev.gavel.mcp.facade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.transport.RequestHeaders;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProtocolDetectionTest {
    private static final String META = "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}";

    /** Headers with lower-case names. */
    private record FixedHeaders(Map<String, String> all) implements RequestHeaders {
        @Override
        public Optional<String> get(String name) {
            return Optional.ofNullable(all.get(name));
        }

        @Override
        public Map<String, String> withPrefix(String prefix) {
            return Map.of();
        }
    }

    private static RequestHeaders version(String version) {
        return new FixedHeaders(Map.of("MCP-Protocol-Version", version, "Mcp-Method", "tools/list"));
    }

    private static RpcMessage request(String method, String params) {
        return new RpcMessage.Request("7", method, Optional.of(params));
    }

    @Test
    void detectsStatelessRequest() {
        assertThat(ProtocolDetection.detect(request("tools/list", META), version("2026-07-28")))
                .isInstanceOf(ProtocolDetection.Stateless.class);
    }

    @Test
    void detectsStatefulRequest() {
        RequestHeaders none = new FixedHeaders(Map.of());
        assertThat(ProtocolDetection.detect(request("tools/list", "{}"), none))
                .isEqualTo(new ProtocolDetection.Stateful());
        assertThat(ProtocolDetection.detect(request("tools/list", "{}"), version("2025-11-25")))
                .isEqualTo(new ProtocolDetection.Stateful());
        assertThat(ProtocolDetection.detect(request("tools/list", "{}"), version("2025-03-26")))
                .isEqualTo(new ProtocolDetection.Stateful());
        assertThat(ProtocolDetection.detect(request("initialize", "{}"), version("2026-07-28")))
                .isEqualTo(new ProtocolDetection.Stateful());
    }

    @Test
    void refusesInconsistentVersions() {
        RequestHeaders none = new FixedHeaders(Map.of());
        assertThat(ProtocolDetection.detect(request("tools/list", META), none))
                .isInstanceOf(ProtocolDetection.Refused.class);
        assertThat(ProtocolDetection.detect(request("tools/list", META), version("2025-11-25")))
                .isInstanceOf(ProtocolDetection.Refused.class);
        assertThat(ProtocolDetection.detect(request("tools/list", "{}"), version("2026-07-28")))
                .isInstanceOf(ProtocolDetection.Refused.class);
        assertThat(ProtocolDetection.detect(request("server/discover", "{}"), none))
                .isInstanceOf(ProtocolDetection.Refused.class);
    }

    @Test
    void refusesUnsupportedVersion() {
        assertThat(ProtocolDetection.detect(request("tools/list", "{}"), version("2026-07-28, 2026-07-28")))
                .isInstanceOfSatisfying(ProtocolDetection.Refused.class, refused -> {
                    assertThat(refused.errorResponse().id()).isEqualTo("7");
                    assertThat(refused.errorResponse().message()).contains("2026-07-28, 2025-11-25, 2025-06-18");
                });
    }

    @Test
    void statelessIgnoresNotificationsAndRefusesResponses() {
        RequestHeaders newest = version("2026-07-28");
        assertThat(ProtocolDetection.detect(
                        new RpcMessage.Notification("notifications/cancelled", Optional.empty()), newest))
                .isEqualTo(new ProtocolDetection.Ignored());
        assertThat(ProtocolDetection.detect(new RpcMessage.ResultResponse("1", "{}"), newest))
                .isInstanceOf(ProtocolDetection.Refused.class);
        assertThat(ProtocolDetection.detect(newest)).isEmpty();
        assertThat(ProtocolDetection.detect(version("2025-06-18"))).contains(new ProtocolDetection.Stateful());
    }
}
