package dev.gavel.app.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.OpenApiDescription;
import dev.gavel.app.proposal.TestTopic.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a real server's responses, successes and errors, agree with its OpenAPI description. */
class OpenApiTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private OpenApiDescription api;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        testTopic = new TestTopic(data);
        api = new OpenApiDescription(testTopic.text("/openapi.json"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private Answer get(String who, String path) throws IOException, InterruptedException {
        Answer answer = testTopic.get(who, path);
        api.assertDescribed("get", path, answer.status(), answer.type(), answer.body());
        return answer;
    }

    private Answer post(String who, Object envelope) throws IOException, InterruptedException {
        Answer answer = testTopic.post(who, "ops", envelope.toString());
        api.assertDescribed("post", "/topics/ops/messages", answer.status(), answer.type(), answer.body());
        return answer;
    }

    @Test
    void proposalsInAllTheirStatesAreAsDescribed() throws Exception {
        try (TestParticipant helper = testTopic.join("helper");
                TestParticipant alice = testTopic.join("alice");
                TestParticipant bob = testTopic.join("bob");
                TestParticipant files = testTopic.join("files")) {
            for (int i = 1; i <= 6; i++) {
                helper.sendAndAwaitEcho(TestEnvelope.proposal("p-" + i));
            }
            helper.sendAndAwaitEcho(TestEnvelope.unfulfillable("p-7"));
            bob.sendAndAwaitEcho(TestEnvelope.envelope(
                            "s-1", "mcpx.status.proposal", "{\"status\":\"considering\",\"note\":\"wait\"}")
                    .about("p-1"));
            alice.sendAndAwaitEcho(TestEnvelope.envelope(
                            "r-1",
                            "mcp.request.tools/call:write_file",
                            TestEnvelope.WRITE.replace("/etc/motd", "/tmp/motd"))
                    .about("p-1")
                    .to("files"));
            files.sendAndAwaitEcho(TestEnvelope.answer("a-1", "r-1"));
            alice.sendAndAwaitEcho(TestEnvelope.fulfilment("r-2", "p-2"));
            bob.sendAndAwaitEcho(TestEnvelope.rejection("no-3", "busy", "p-3").payload("note", "later"));
            alice.sendAndAwaitEcho(TestEnvelope.rejection("no-33", "unsafe", "p-3"));
            helper.sendAndAwaitEcho(TestEnvelope.withdrawal("w-4", "p-4"));

            for (String who : List.of("alice", "bob", "carol", "helper", "files")) {
                assertThat(get(who, "/topics/ops/proposals").body().path("proposals"))
                        .hasSize(7);
                for (int i = 1; i <= 7; i++) {
                    assertThat(get(who, "/topics/ops/proposals/p-" + i).status())
                            .isEqualTo(200);
                }
            }
            assertThat(get("alice", "/topics/ops/proposals?limit=2").body().has("cursor"))
                    .isTrue();
            assertThat(get("alice", "/topics/ops/messages?since=0").body().path("messages"))
                    .isNotEmpty();
            assertThat(get("alice", "/topics/ops").body().path("participants")).hasSize(4);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "alice, /topics/ops, 200, ''",
        "alice, /topics/plain, 200, ''",
        "nobody, /topics/ops, 401, unauthenticated",
        "mallory, /topics/ops, 403, not_a_member",
        "alice, /topics/none, 404, no_such_topic",
        "alice, /topics/NO, 400, bad_topic",
        "alice, /topics/ops?mode=some, 400, bad_mode",
        "alice, /topics/ops?spelling=old, 400, bad_spelling",
        "alice, /topics/ops/messages?since=x, 400, bad_since",
        "alice, /topics/ops/messages?wait=x, 400, bad_wait",
        "alice, /topics/plain/messages, 404, no_ledger",
        "alice, /topics/ops/proposals?state=some, 400, bad_state",
        "alice, /topics/ops/proposals?limit=0, 400, bad_limit",
        "alice, /topics/ops/proposals?cursor=x, 400, bad_cursor",
        "alice, /topics/ops/proposals/none, 404, unknown_proposal",
        "alice, /topics/plain/proposals, 404, no_ledger",
        "nobody, /health/live, 200, ''",
        "nobody, /health/ready, 200, ''",
        "nobody, /openapi.json, 200, ''",
        "nobody, /ws?topic=ops, 401, unauthenticated",
        "alice, /ws?topic=ops, 426, upgrade_required",
    })
    void answersAreAsDescribed(String who, String path, int status, String code) throws Exception {
        Answer answer = get(who, path);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        bob     | p-1 | {"arguments":{"path":"../x"},"to":"files"} | 200 |
        bob     | p-1 | {}                                         | 200 |
        bob     | p-1 | {"arguments":[]}                           | 400 | bad_body
        bob     | p-1 | {"argument":{}}                            | 400 | bad_body
        bob     | p-1 | nonsense                                   | 400 | bad_body
        bob     | p-9 | {}                                         | 404 | unknown_proposal
        mallory | p-1 | {}                                         | 403 | not_a_member
        """)
    void assessmentsAreAsDescribed(String who, String proposal, String draft, int status, String code)
            throws Exception {
        post("helper", TestEnvelope.proposal("p-1"));
        String path = "/topics/ops/proposals/" + proposal + "/assess";
        Answer answer = testTopic.sendRequest("POST", who, path, draft);
        api.assertDescribed("post", path, answer.status(), answer.type(), answer.body());
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code == null ? "" : code);
        if (draft.contains("..")) {
            assertThat(answer.body().path("review").path("warnings").toString()).contains("leaves its folder");
        }
    }

    @Test
    void whatIsSaidToEnvelopesIsAsDescribed() throws Exception {
        testTopic.join("files");

        assertThat(post("helper", TestEnvelope.proposal("p-1").to("files", "nobody"))
                        .body()
                        .path("errors"))
                .hasSize(1);
        assertThat(post("helper", "nonsense").code()).isEqualTo("malformed");
        assertThat(post("helper", TestEnvelope.fulfilment("r-0", "p-1")).code()).isEqualTo("capability_violation");
        assertThat(post("alice", TestEnvelope.fulfilment("r-1", "p-0")).code()).isEqualTo("unknown_proposal");
        assertThat(post("alice", TestEnvelope.fulfilment("r-2", "p-1")).status())
                .isEqualTo(202);
        assertThat(post("bob", TestEnvelope.fulfilment("r-3", "p-1")).code()).isEqualTo("already_fulfilled");
        assertThat(post("alice", TestEnvelope.rejection("no-1", "unsafe", "p-1", "p-0"))
                        .body()
                        .path("errors"))
                .hasSize(2);
        assertThat(post("helper", TestEnvelope.chat("p-1")).status()).isEqualTo(202);
        assertThat(post("alice", TestEnvelope.chat("c-1").to("nobody")).code()).isEqualTo("unknown_recipient");
        assertThat(post("alice", "x".repeat(2 << 20)).code()).isEqualTo("too_large");
    }
}
