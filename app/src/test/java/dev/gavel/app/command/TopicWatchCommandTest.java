package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestSocket;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests {@code gavel topic watch}. */
class TopicWatchCommandTest extends CommandTestBase {
    @Test
    void everyEnvelopeIsALine() throws Exception {
        RunningCommand watching = type("alice", "topic", "watch", "ops");
        assertThat(line(watching, "system.welcome")).contains("you are alice");
        String id = proposeWrite();
        assertThat(line(watching, "mcp.proposal"))
                .matches("\\d\\d:\\d\\d:\\d\\d  helper → all  mcp.proposal.tools/call:write_file  " + id
                        + " write_file path=/tmp/x");
        try (TestSocket helper = server().join("helper")) {
            assertThat(line(watching, "system.presence")).endsWith("helper joined");
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"c-1\",\"kind\":\"chat.message\",\"payload\":{\"text\":"
                    + "\"hi\\u001b[2J\\nthere\"}}");
            assertThat(line(watching, "chat.message")).endsWith("hi\\u001b[2J\\nthere");
        }
        watching.closePipe();
        proposeWrite();
        assertThat(watching.awaitEnd().exit()).isZero();
    }

    @Test
    void secretArgumentsAreHidden() throws Exception {
        proposeWrite("--arg", "password=hunter2-hunter2");
        RunningCommand text = type("bob", "topic", "watch", "ops", "--since", "0");
        assertThat(line(text, "mcp.proposal")).endsWith("write_file path=/tmp/x password=[secret]");
        RunningCommand json = type("carol", "topic", "watch", "ops", "--since", "0", "--json");
        assertThat(line(json, "mcp.proposal"))
                .contains("\"password\":{\"dev.gavel/redacted\":\"secret\"}")
                .doesNotContain("hunter2-hunter2");
        text.closePipe();
        json.closePipe();
    }

    @Test
    void anIdDoesNotLookLikeTheCall() throws Exception {
        try (TestSocket helper = server().join("helper")) {
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-1 read_file path=[secret]\",\"kind\":"
                    + "\"mcp.proposal.tools/call:write_file\",\"payload\":{\"method\":\"tools/call\",\"params\":"
                    + "{\"name\":\"write_file\"}}}");
            Awaitility.await()
                    .until(() -> run("alice", "proposals", "ops").out().contains("write_file"));
        }
        RunningCommand watching = type("alice", "topic", "watch", "ops", "--since", "0");
        assertThat(line(watching, "mcp.proposal")).endsWith("  \"p-1 read_file path=[secret]\" write_file");
        watching.closePipe();
    }

    private static String line(RunningCommand watching, String part) throws InterruptedException {
        String line = watching.awaitLine("");
        while (!line.contains(part)) {
            line = watching.awaitLine("");
        }
        return line;
    }

    @Test
    void whatIsKeptIsSeenFromTheBeginningAsJson() throws Exception {
        String first = proposeWrite();
        String second = proposeWrite();
        RunningCommand watching = type("alice", "topic", "watch", "ops", "--since", "0", "--json");
        List<Json> lines = List.of(json(watching), json(watching), json(watching));
        assertThat(lines.get(0).at("kind").text()).isEqualTo("system.welcome");
        assertThat(lines.get(1).at("id").text()).isEqualTo(first);
        assertThat(lines.get(2).at("id").text()).isEqualTo(second);
        watching.closePipe();
    }

    private static Json json(RunningCommand watching) throws InterruptedException {
        return Json.parse(watching.awaitLine("{")).orElseThrow();
    }

    @Test
    void nothingIsMissedOrSeenTwiceWhereTheServerWasAway() throws Exception {
        RunningCommand watching = type("alice", "topic", "watch", "ops", "--json");
        assertThat(json(watching).at("kind").text()).isEqualTo("system.welcome");
        String before = proposeWrite();
        assertThat(proposal(watching)).isEqualTo(before);
        restart(() -> Awaitility.await()
                .untilAsserted(() -> assertThat(watching.err()).contains("reconnecting")));
        String after = proposeWrite();
        assertThat(proposal(watching)).isEqualTo(after);
        watching.closePipe();
    }

    private static String proposal(RunningCommand watching) throws InterruptedException {
        Json envelope = json(watching);
        while (!envelope.at("kind").text().startsWith("mcp.proposal")) {
            envelope = json(watching);
        }
        return envelope.at("id").text();
    }

    @Test
    void whoIsNoMemberWatchesNothing() throws Exception {
        RunningCommand.Result result = run("mallory", "topic", "watch", "ops");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("(not_a_member)");
    }
}
