package dev.gavel.mcp.facade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.port.Headers;
import dev.gavel.mcp.rpc.Message;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class EraTest {
    private static final String META = "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}";

    /** Headers of small letters. */
    private record Sent(Map<String, String> all) implements Headers {
        @Override
        public Optional<String> get(String name) {
            return Optional.ofNullable(all.get(name));
        }

        @Override
        public Map<String, String> beginning(String prefix) {
            return Map.of();
        }
    }

    private static Headers version(String version) {
        return new Sent(Map.of("MCP-Protocol-Version", version, "Mcp-Method", "tools/list"));
    }

    private static Message request(String method, String params) {
        return new Message.Request("7", method, Optional.of(params));
    }

    @Test
    void aRequestThatSaysItsVersionStandsAlone() {
        assertThat(Era.of(request("tools/list", META), version("2026-07-28"))).isInstanceOf(Era.Alone.class);
    }

    @Test
    void aRequestThatSaysNothingOfItselfBelongsToASession() {
        Headers none = new Sent(Map.of());
        assertThat(Era.of(request("tools/list", "{}"), none)).isEqualTo(new Era.InSession());
        assertThat(Era.of(request("tools/list", "{}"), version("2025-11-25"))).isEqualTo(new Era.InSession());
        assertThat(Era.of(request("tools/list", "{}"), version("2025-03-26"))).isEqualTo(new Era.InSession());
        assertThat(Era.of(request("initialize", "{}"), version("2026-07-28"))).isEqualTo(new Era.InSession());
    }

    @Test
    void whatIsHalfOfOneAndHalfOfTheOtherIsRefused() {
        Headers none = new Sent(Map.of());
        assertThat(Era.of(request("tools/list", META), none)).isInstanceOf(Era.Refused.class);
        assertThat(Era.of(request("tools/list", META), version("2025-11-25"))).isInstanceOf(Era.Refused.class);
        assertThat(Era.of(request("tools/list", "{}"), version("2026-07-28"))).isInstanceOf(Era.Refused.class);
        assertThat(Era.of(request("server/discover", "{}"), none)).isInstanceOf(Era.Refused.class);
    }

    @Test
    void aVersionThatNobodySpeaksIsRefusedUnderTheRequestsOwnId() {
        assertThat(Era.of(request("tools/list", "{}"), version("2026-07-28, 2026-07-28")))
                .isInstanceOfSatisfying(Era.Refused.class, refused -> {
                    assertThat(refused.failure().id()).isEqualTo("7");
                    assertThat(refused.failure().words()).contains("2026-07-28, 2025-11-25, 2025-06-18");
                });
    }

    @Test
    void withoutSessionsNotificationsMeanNothingAndAnswersAreRefused() {
        Headers newest = version("2026-07-28");
        assertThat(Era.of(new Message.Notification("notifications/cancelled", Optional.empty()), newest))
                .isEqualTo(new Era.Meaningless());
        assertThat(Era.of(new Message.Response("1", "{}"), newest)).isInstanceOf(Era.Refused.class);
        assertThat(Era.of(newest)).isEmpty();
        assertThat(Era.of(version("2025-06-18"))).contains(new Era.InSession());
    }
}
