package dev.gavel.mcp.facade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.transport.HttpHeaderLookup;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProtocolDetectionResultTest {
    private static final String META = "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}";

    /** Headers with lower-case names. */
    private record FixedHeaders(Map<String, String> all) implements HttpHeaderLookup {
        @Override
        public Optional<String> get(String name) {
            return Optional.ofNullable(all.get(name));
        }

        @Override
        public Map<String, String> withPrefix(String prefix) {
            return Map.of();
        }
    }

    private static HttpHeaderLookup version(String version) {
        return new FixedHeaders(Map.of("MCP-Protocol-Version", version, "Mcp-Method", "tools/list"));
    }

    private static RpcMessage request(String method, String params) {
        return new RpcMessage.Request("7", method, Optional.of(params));
    }

    @Test
    void detectsStatelessRequest() {
        assertThat(ProtocolDetectionResult.detect(request("tools/list", META), version("2026-07-28")))
                .isInstanceOf(ProtocolDetectionResult.Stateless.class);
    }

    @Test
    void detectsStatefulRequest() {
        HttpHeaderLookup none = new FixedHeaders(Map.of());
        assertThat(ProtocolDetectionResult.detect(request("tools/list", "{}"), none))
                .isEqualTo(new ProtocolDetectionResult.Stateful());
        assertThat(ProtocolDetectionResult.detect(request("tools/list", "{}"), version("2025-11-25")))
                .isEqualTo(new ProtocolDetectionResult.Stateful());
        assertThat(ProtocolDetectionResult.detect(request("tools/list", "{}"), version("2025-03-26")))
                .isEqualTo(new ProtocolDetectionResult.Stateful());
        assertThat(ProtocolDetectionResult.detect(request("initialize", "{}"), version("2026-07-28")))
                .isEqualTo(new ProtocolDetectionResult.Stateful());
    }

    @Test
    void refusesInconsistentVersions() {
        HttpHeaderLookup none = new FixedHeaders(Map.of());
        assertThat(ProtocolDetectionResult.detect(request("tools/list", META), none))
                .isInstanceOf(ProtocolDetectionResult.Refused.class);
        assertThat(ProtocolDetectionResult.detect(request("tools/list", META), version("2025-11-25")))
                .isInstanceOf(ProtocolDetectionResult.Refused.class);
        assertThat(ProtocolDetectionResult.detect(request("tools/list", "{}"), version("2026-07-28")))
                .isInstanceOf(ProtocolDetectionResult.Refused.class);
        assertThat(ProtocolDetectionResult.detect(request("server/discover", "{}"), none))
                .isInstanceOf(ProtocolDetectionResult.Refused.class);
    }

    @Test
    void refusesUnsupportedVersion() {
        assertThat(ProtocolDetectionResult.detect(request("tools/list", "{}"), version("2026-07-28, 2026-07-28")))
                .isInstanceOfSatisfying(ProtocolDetectionResult.Refused.class, refused -> {
                    assertThat(refused.errorResponse().id()).isEqualTo("7");
                    assertThat(refused.errorResponse().message()).contains("2026-07-28, 2025-11-25, 2025-06-18");
                });
    }

    @Test
    void statelessIgnoresNotificationsAndRefusesResponses() {
        HttpHeaderLookup newest = version("2026-07-28");
        assertThat(ProtocolDetectionResult.detect(
                        new RpcMessage.Notification("notifications/cancelled", Optional.empty()), newest))
                .isEqualTo(new ProtocolDetectionResult.Ignored());
        assertThat(ProtocolDetectionResult.detect(new RpcMessage.ResultResponse("1", "{}"), newest))
                .isInstanceOf(ProtocolDetectionResult.Refused.class);
        assertThat(ProtocolDetectionResult.detect(newest)).isEmpty();
        assertThat(ProtocolDetectionResult.detect(version("2025-06-18")))
                .contains(new ProtocolDetectionResult.Stateful());
    }
}
