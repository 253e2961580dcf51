package dev.gavel.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnproposedRequestCacheTest {
    private final UnproposedRequestCache requests = new UnproposedRequestCache();

    private static Envelope envelope(String text) {
        if (new EnvelopeReader(EnvelopeLimits.DEFAULT)
                        .read(("{'protocol':'mcpx/v0.1'," + text + "}")
                                .replace('\'', '"')
                                .getBytes(StandardCharsets.UTF_8))
                instanceof Envelope envelope) {
            return envelope;
        }
        throw new AssertionError(text);
    }

    private static Envelope request(String id) {
        return envelope("'id':'" + id + "','kind':'mcp.request.ping','payload':{'method':'ping'}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'alice'         | req-1 | true
            'alice'         | req-2 | false
            'bob'           | req-1 | false
            'alice','bob'   | req-1 | false
                            | req-1 | false
            """)
    void onlyAnAnswerToTheRequesterAloneIsKnownToBePlain(String to, String request, boolean plain) {
        requests.addDirect(request("req-1"), "alice");
        assertThat(requests.isResponseToDirectRequest(envelope("'id':'a','kind':'mcp.response.ping','to':["
                        + (to == null ? "" : to) + "],'correlationId':'" + request + "','payload':{}")))
                .isEqualTo(plain);
    }

    @Test
    void aPlainRequestDoesNotHideTheAnswerToAFulfilment() {
        Envelope answer =
                envelope("'id':'a','kind':'mcp.response.ping','to':['alice'],'correlationId':'req-1','payload':{}");
        requests.addLedgerRequest(request("req-1"));
        requests.addDirect(request("req-1"), "alice");
        assertThat(requests.isResponseToDirectRequest(answer)).isFalse();
    }

    @Test
    void theOldestAreForgotten() {
        for (int i = 0; i <= 10_000; i++) {
            requests.addDirect(request("req-" + i), "alice");
        }
        String answer = "'id':'a','kind':'mcp.response.ping','to':['alice'],'payload':{},'correlationId':";
        assertThat(requests.isResponseToDirectRequest(envelope(answer + "'req-0'")))
                .isFalse();
        assertThat(requests.isResponseToDirectRequest(envelope(answer + "'req-1'")))
                .isTrue();
    }
}
