package dev.gavel.mcp.facade.stateful;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.stateful.StreamEventId.StreamCall;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamEventIdTest {
    private static final String PROPOSAL = "w-0123456789abcdef012345-p1";

    private static String encoded(String request) {
        return "r1_2."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(request.getBytes(StandardCharsets.UTF_8)) + "."
                + PROPOSAL;
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "-1.5", "\"call 7\"", "\"\\\"\\u00e9\""})
    void namesTheRequestAndTheProposal(String request) {
        StreamEventId id = new StreamEventId("r1", 2, StreamCall.of(request, PROPOSAL));
        assertThat(id.text()).matches("[\\x21-\\x7e]+");
        assertThat(StreamEventId.parse(id.text())).contains(id);
    }

    @Test
    void anEventOfAnotherStreamNamesNoCall() {
        assertThat(StreamEventId.parse("g_12")).contains(new StreamEventId("g", 12, Optional.empty()));
        assertThat(StreamCall.of("\"" + "x".repeat(200) + "\"", PROPOSAL)).isEmpty();
        assertThat(StreamCall.of("1", "p 1")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "g", "g_", "_1", "g_1_2", "G_1", "r1_2.NQ", "r1_2.NQ.", "r1_2.NQ.p/1", "r1_2.NQ.p-1\n"})
    void anotherTextIsNoId(String text) {
        assertThat(StreamEventId.parse(text)).isEmpty();
    }

    /** The client's request id becomes part of a response. */
    @ParameterizedTest
    @ValueSource(strings = {"{}", "null", "true", "[1]", "1,\"result\":{}", "1}", "\"unfinished", "\r\n"})
    void aForgedRequestIdIsIgnored(String request) {
        assertThat(StreamEventId.parse(encoded(request)).orElseThrow().call()).isEmpty();
    }
}
