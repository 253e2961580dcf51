package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@code gavel topic list}. */
class TopicListCommandTest extends CommandTestBase {
    private static List<String> names(Json answer) {
        return answer.at("topics").elements().stream()
                .map(topic -> topic.at("name").text())
                .toList();
    }

    @Test
    void aMemberSeesItsTopicsWithWhatIsOpenAndWhoIsHere() throws Exception {
        String id = proposeWrite();
        proposeWrite();
        run("helper", "withdraw", "ops", id);
        try (TestSocket files = runner("files")) {
            assertThat(files.status()).isEqualTo(101);
            assertThat(run("alice", "topic", "list").out()).isEqualTo("""
                    TOPIC  OPEN  CONNECTED  YOUR NAME  CAPABILITIES
                    ops    1     1          alice      *
                    relay  -     0          alice      *
                    """);
        }
        Json helper = run("helper", "topic", "list", "--json").json();
        assertThat(names(helper)).containsExactly("ops");
        assertThat(helper.at("topics")
                        .elements()
                        .getFirst()
                        .at("you")
                        .at("capabilities")
                        .texts())
                .containsExactly("mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*");
        Json relay = run("alice", "topic", "list", "--json")
                .json()
                .at("topics")
                .elements()
                .getLast();
        assertThat(relay.at("open").isPresent()).isFalse();
    }

    @Test
    void whoIsNoMemberSeesNoneUnlessAnAdmin() throws Exception {
        assertThat(run("mallory", "topic", "list").out()).startsWith("you are not a member of any topic");
        String config = TestServer.CONFIG.replace("  ops:", "  closed: {ledger: off, participants: {}}\n  ops:");
        try (TestServer server = new TestServer(config, 1)) {
            Map<String, String> alice =
                    Map.of("GAVEL_URL", "http://" + server.listen(), "GAVEL_TOKEN", "alice" + TestServer.SECRET);
            Json seen = RunningCommand.start(directory, alice, "--json", "topic", "list")
                    .awaitEnd()
                    .json();
            assertThat(names(seen)).containsExactly("closed", "ops");
            assertThat(seen.at("topics").elements().getFirst().at("you").isPresent())
                    .isFalse();
        }
    }

    @Test
    void strangersAndPagesOfOtherSitesAreSentAway() throws Exception {
        assertThat(RunningCommand.start(directory, Map.of("GAVEL_URL", url()), "topic", "list")
                        .awaitEnd()
                        .exit())
                .isEqualTo(2);
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(url() + "/topics"))
                            .header("Authorization", "Bearer alice" + TestServer.SECRET)
                            .header("Origin", "http://elsewhere.example")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("foreign_origin");
        }
    }
}
