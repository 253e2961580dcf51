package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Tests reading the topic's proposals over HTTP, by members: a single one, and all, newest first, by state and
 * proposer.
 */
class ProposalListTest {
    private static final String PROPOSALS = "/topics/ops/proposals";

    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant alice;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        testTopic.join("files");
        alice = testTopic.join("alice");
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private void oneOfEach() throws IOException {
        for (String id : List.of("fulfilled", "rejected", "withdrawn", "open")) {
            helper.sendAndAwaitEcho(proposal(id));
        }
        helper.sendAndAwaitEcho(proposal("expired").ttl(1));
        alice.sendAndAwaitEcho(proposal("hers"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "fulfilled"));
        alice.sendAndAwaitEcho(rejection("r-1", "policy", "rejected"));
        helper.sendAndAwaitEcho(withdrawal("w-1", "withdrawn"));
        helper.await("system.proposal.expired", "expired");
    }

    private List<String> list(String query) throws Exception {
        TestTopic.Answer answer = testTopic.get("carol", PROPOSALS + query);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return TestParticipant.texts(answer.body().path("proposals"), "id");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                                 | hers expired open withdrawn rejected fulfilled
            ?state=open          | hers open
            ?state=fulfilled     | fulfilled
            ?state=rejected      | rejected
            ?state=withdrawn     | withdrawn
            ?state=expired       | expired
            ?from=helper         | expired open withdrawn rejected fulfilled
            ?from=alice          | hers
            ?from=bob            |
            ?state=open&from=helper | open
            ?state=rejected&from=alice |
            """)
    void theyAreListedNewestFirstByStateAndProposer(String query, String ids) throws Exception {
        oneOfEach();
        assertThat(list(query == null ? "" : query)).isEqualTo(ids == null ? List.of() : List.of(ids.split(" ", -1)));
    }

    @Test
    void aListPagesByCursor() throws Exception {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            helper.sendAndAwaitEcho(proposal("p-" + i));
            all.addFirst("p-" + i);
        }
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = testTopic
                    .get("carol", PROPOSALS + "?limit=10&state=open" + cursor)
                    .body();
            List<String> ids = TestParticipant.texts(page.path("proposals"), "id");
            assertThat(ids).hasSizeBetween(1, 10);
            seen.addAll(ids);
            cursor = page.has("cursor")
                    ? "&cursor=" + URLEncoder.encode(page.path("cursor").asString(), StandardCharsets.UTF_8)
                    : "";
            if (seen.size() == 10) {
                // A new proposal does not appear in the pages of a listing that has begun.
                helper.sendAndAwaitEcho(proposal("new"));
            }
        } while (!cursor.isEmpty());
        assertThat(seen).isEqualTo(all);
    }

    @ParameterizedTest
    @CsvSource({"?state=nonsense", "?limit=0", "?limit=x", "?cursor=nonsense"})
    void whatCannotBeMeantIsABadRequest(String query) throws Exception {
        TestTopic.Answer answer = testTopic.get("carol", PROPOSALS + query);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.type()).contains("application/problem+json");
        assertThat(answer.body().path("detail").asString()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({"mallory, ops, 403", "nobody, ops, 401", "carol, nowhere, 404"})
    void onlyMembersAreShownThem(String who, String topic, int status) throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        assertThat(testTopic.get(who, "/topics/" + topic + "/proposals").status())
                .isEqualTo(status);
        assertThat(testTopic.get(who, "/topics/" + topic + "/proposals/p-1").status())
                .isEqualTo(status);
    }

    @Test
    void oneIsShownWithAllThereIsToKnow() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1").to("alice", "files").ttl(600));
        alice.sendAndAwaitEcho(
                rejection("r-1", "busy", "p-1").payload("note", "later").to("helper"));
        JsonNode shown = testTopic.proposal("carol", "p-1");
        assertThat(shown.path("id").asString()).isEqualTo("p-1");
        assertThat(shown.path("from").asString()).isEqualTo("helper");
        assertThat(shown.path("to").toString()).isEqualTo("[\"alice\",\"files\"]");
        assertThat(shown.path("kind").asString()).isEqualTo("mcp.proposal.tools/call:write_file");
        assertThat(shown.path("payload"))
                .isEqualTo(proposal("p-1").ttl(600).json().path("payload"));
        assertThat(shown.path("state").asString()).isEqualTo("rejected");
        assertThat(shown.path("reasons").toString())
                .isEqualTo("[{\"from\":\"alice\",\"reason\":\"busy\",\"note\":\"later\"}]");
        assertThat(Instant.parse(shown.path("expiresAt").asString())).isAfter(Instant.EPOCH);
        assertThat(shown.path("guidance").path("status").asString()).startsWith("rejected");
        JsonNode timeline = shown.path("timeline");
        assertThat(TestParticipant.texts(timeline, "event"))
                .containsExactly("proposed", "rejected", "closed_by_rejections");
        assertThat(TestParticipant.texts(timeline, "envelope")).startsWith("p-1", "r-1");
        assertThat(TestParticipant.texts(timeline, "by")).startsWith("helper", "alice");
    }

    @Test
    void theListShowsEachAsItIsShownAlone() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        JsonNode listed =
                testTopic.get("carol", PROPOSALS).body().path("proposals").path(0);
        JsonNode shown = testTopic.proposal("carol", "p-1");
        for (String field : List.of("id", "from", "to", "kind", "state", "expiresAt")) {
            assertThat(listed.path(field)).as(field).isEqualTo(shown.path(field));
        }
    }

    @Test
    void whatNobodyProposedIsNotFound() throws Exception {
        TestTopic.Answer answer = testTopic.get("carol", PROPOSALS + "/p-9");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.type()).contains("application/problem+json");
        assertThat(answer.code()).isEqualTo("unknown_proposal");
    }

    @Test
    void anyIdCanBeAskedFor() throws Exception {
        String odd = "a/b ü?%#";
        helper.sendAndAwaitEcho(proposal(odd));
        String path = URLEncoder.encode(odd, StandardCharsets.UTF_8).replace("+", "%20");
        assertThat(testTopic.proposal("carol", path).path("id").asString()).isEqualTo(odd);
    }
}
