package dev.gavel.app.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a bridge answers the calls that its predecessor of the same name left unanswered. */
final class BridgeReplacementTest {
    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"never\",\"arguments\":{}}}";

    @TempDir
    private Path data;

    /** A participant that leaves without answering represents a bridge whose process was killed. */
    @Test
    void whatWasLeftUnansweredIsAnsweredWithDoubtLongBeforeItsTimeIsOver() throws Exception {
        String config = TestServer.CONFIG
                .replace("ledger: off", "ledger: on")
                .replace("listen:", "data: " + data + "\nlisten:");
        String without = config.replace("files:", "scripted:").replace("files-", "scripted-");
        try (TestServer before = new TestServer(without, 1);
                TestSocket gone = before.join("scripted");
                TestSocket helper = before.join("helper");
                TestSocket alice = before.join("alice")) {
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-1\",\"kind\":\"mcp.proposal.tools/call:never\","
                    + "\"to\":[\"scripted\"],\"payload\":" + CALL + "}");
            alice.envelope("mcp.proposal.tools/call:never");
            alice.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"r-1\",\"kind\":\"mcp.request.tools/call:never\","
                    + "\"to\":[\"scripted\"],\"correlationId\":\"p-1\",\"payload\":" + CALL + "}");
            gone.envelope("mcp.request.tools/call:never");
        }
        try (TestServer after = new TestServer(config + ScriptedMcpServer.yaml("scripted", Map.of()), 1);
                TestSocket alice = after.join("alice")) {
            assertThat(alice.envelope("mcp.response.tools/call:never").toString())
                    .contains("-31000", "not known", "r-1");
        }
    }
}
