package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.rpc.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LettersTest {
    private static final Target TARGET = new Target("files", "tools/call", "read_file");
    private static final String PARAMS = """
            {"name":"files__read_file","arguments":{"path":"a"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/logLevel":"info",\
            "io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{},"a/b":{}}},\
            "traceparent":"00-1-2-03","progressToken":5}}""";

    /** A client that waits, and wants progress where it says so. */
    private record Waiting(@Nullable Progress progress, boolean handed) implements Client {
        @Override
        public boolean takesProposals(String method) {
            return handed;
        }

        @Override
        public String id() {
            return "1";
        }

        @Override
        public Reply out() {
            throw new UnsupportedOperationException("nobody answers");
        }

        @Override
        public void placed(Call call) {}

        @Override
        public void settle(Message answer) {}

        @Override
        public void done(Call call) {}
    }

    private static final Client WAITING = new Waiting(Progress.of(PARAMS), false);

    @Test
    void aCallOfOnesOwnSaysWhatTheCallerCouldBeAskedForButNotTasks() {
        assertThat(Letters.request("q-1", TARGET, PARAMS, WAITING).toString())
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
    void aProposalSaysNothingOfTheClient() {
        assertThat(Letters.proposal("m-1", TARGET, PARAMS, WAITING).toString())
                .isEqualTo(
                        "{\"method\":\"tools/call\",\"params\":{\"name\":\"read_file\",\"arguments\":{\"path\":\"a\"},"
                                + "\"_meta\":{\"traceparent\":\"00-1-2-03\",\"progressToken\":\"m-1\"}}}");
    }

    @Test
    void nothingIsLeftOfMetadataThatSaysNothingElse() {
        String params = "{\"name\":\"x\",\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":{}}}";
        assertThat(Letters.proposal("t-1", TARGET, params, new Waiting(null, true))
                        .toString())
                .isEqualTo("{\"method\":\"tools/call\",\"params\":{\"name\":\"read_file\"}}");
    }
}
