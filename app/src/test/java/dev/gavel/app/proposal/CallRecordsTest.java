package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.envelope;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.audit.HashChainVerifier;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.mcpx.text.Sha256;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests the records of calls that are made with sockets and HTTP posts, with and without a proposal. */
@Timeout(120)
class CallRecordsTest {
    private static final String CALL = "mcp.request.tools/call:write_file";

    /** SHA-256 of {"arguments":{"path":"/etc/motd"},"name":"write_file"}. */
    private static final String DIGEST = "be582f009a1cb56e82baa613f786bf20a5afe14bc81ac641ce9b08b713162da9";

    @TempDir
    private Path data;

    private static TestEnvelope call(String id) {
        return envelope(id, CALL, TestEnvelope.WRITE).to("files");
    }

    private static List<JsonNode> calls(TestTopic testTopic, String query) throws Exception {
        return list(page(testTopic, query).path("calls"));
    }

    private static JsonNode page(TestTopic testTopic, String query) throws Exception {
        TestTopic.Answer answer = testTopic.get("carol", "/topics/ops/calls" + query);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> elements = new ArrayList<>();
        array.forEach(elements::add);
        return elements;
    }

    /** Waits until a call is recorded with an outcome. */
    private static JsonNode awaitOutcome(TestTopic testTopic, String id, String outcome) {
        return await().until(
                        () -> calls(testTopic, "?limit=500").stream()
                                .filter(call -> call.path("id").asString().equals(id)
                                        && call.path("outcome").asString().equals(outcome))
                                .toList(),
                        found -> !found.isEmpty())
                .getFirst();
    }

    @Test
    void aCallOverASocketIsRecordedWithItsAnswer() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            TestParticipant alice = testTopic.join("alice");
            alice.send(call("q-1"));
            files.awaitId("q-1");
            files.send(answer("a-1", "q-1").to("alice"));
            JsonNode call = awaitOutcome(testTopic, "q-1", "ok");
            assertThat(call.path("by").asString()).isEqualTo("alice");
            assertThat(call.path("to").get(0).asString()).isEqualTo("files");
            assertThat(call.path("method").asString()).isEqualTo("tools/call");
            assertThat(call.path("name").asString()).isEqualTo("write_file");
            assertThat(call.path("digest").asString()).isEqualTo(DIGEST);
            assertThat(call.path("answeredBy").asString()).isEqualTo("files");
            assertThat(call.path("micros").asLong()).isPositive();
            assertThat(call.has("proposal")).isFalse();
            assertThat(call.toString()).doesNotContain("/etc/motd");
        }
    }

    @Test
    void theDigestDoesNotLetAReaderGuessASecret() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"), "secret: [pin]")) {
            TestParticipant files = testTopic.join("files");
            TestParticipant alice = testTopic.join("alice");
            for (int i = 1; i <= 2; i++) {
                String payload = "{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":"
                        + "{\"path\":\"/a\",\"pin\":\"471" + i + "\"}}}";
                alice.send(envelope("q-" + i, CALL, payload).to("files"));
                files.awaitId("q-" + i);
                testTopic.post("helper", proposal("p-" + i).payload(payload));
                testTopic.post("alice", fulfilment("f-" + i, "p-" + i).payload(payload));
                files.awaitId("f-" + i);
            }
            String shown = "{\"arguments\":{\"path\":\"/a\",\"pin\":{\"dev.gavel/redacted\":\"secret\"}},"
                    + "\"name\":\"write_file\"}";
            for (String id : List.of("q-1", "q-2", "f-1", "f-2")) {
                assertThat(awaitOutcome(testTopic, id, "unanswered")
                                .path("digest")
                                .asString())
                        .as(id)
                        .isEqualTo(Sha256.hex(shown));
            }
        }
    }

    @Test
    void aCallByHttpPostIsRecorded() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            assertThat(testTopic.post("bob", call("q-1")).status()).isEqualTo(202);
            files.awaitId("q-1");
            assertThat(testTopic
                            .post(
                                    "files",
                                    answer("a-1", "q-1")
                                            .to("bob")
                                            .payload("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"isError\":true}}"))
                            .status())
                    .isEqualTo(202);
            assertThat(awaitOutcome(testTopic, "q-1", "error").path("by").asString())
                    .isEqualTo("bob");
        }
    }

    @Test
    void theRunOfAnApprovedProposalIsRecordedWithTheProposal() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            testTopic.post("helper", proposal("p-1"));
            testTopic.post("alice", fulfilment("f-1", "p-1"));
            files.awaitId("f-1");
            files.send(answer("a-1", "f-1").to("alice"));
            assertThat(awaitOutcome(testTopic, "f-1", "ok").path("proposal").asString())
                    .isEqualTo("p-1");
            assertThat(calls(testTopic, "?proposal=p-1")).hasSize(1);
        }
    }

    @Test
    void aCancelledCallIsRecordedAsCancelledUntilALaterAnswerCounts() throws Exception {
        String cancelled = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32800,\"message\":\"cancelled\"}}";
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            testTopic.post("helper", proposal("p-1"));
            testTopic.post("alice", fulfilment("f-1", "p-1"));
            testTopic.post("alice", call("q-1"));
            files.awaitId("f-1");
            files.awaitId("q-1");
            files.send(answer("a-1", "f-1").to("alice").payload(cancelled));
            files.send(answer("a-2", "q-1").to("alice").payload(cancelled));
            awaitOutcome(testTopic, "f-1", "cancelled");
            awaitOutcome(testTopic, "q-1", "cancelled");
            assertThat(testTopic.outcome("p-1")).isEqualTo("unknown");
            files.send(answer("a-3", "f-1").to("alice"));
            files.send(answer("a-4", "q-1").to("alice"));
            awaitOutcome(testTopic, "f-1", "ok");
            awaitOutcome(testTopic, "q-1", "ok");
            assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
        }
    }

    @Test
    void onlyTheFirstAnswerToAnApprovedCallCounts() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            testTopic.post("helper", proposal("p-1"));
            testTopic.post("alice", fulfilment("f-1", "p-1"));
            files.awaitId("f-1");
            files.sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
            files.sendAndAwaitEcho(answer("a-2", "f-1")
                    .to("alice")
                    .payload("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"no\"}}"));
            awaitOutcome(testTopic, "f-1", "ok");
            JsonNode proposal =
                    testTopic.get("alice", "/topics/ops/proposals/p-1").body();
            assertThat(proposal.path("outcome").asString()).isEqualTo("succeeded");
            assertThat(list(proposal.path("timeline")).stream()
                            .filter(step -> step.path("event").asString().equals("answered"))
                            .map(step -> step.path("envelope").asString()
                                    + (step.path("ignored").asBoolean(false) ? " ignored" : "")))
                    .containsExactly("a-1", "a-2 ignored");
        }
    }

    @Test
    void theIdOfAnOpenCallIsNotUsedForAnotherCall() throws Exception {
        String other = TestEnvelope.WRITE.replace("/etc/motd", "/etc/passwd");
        for (String audit : List.of("on", "sync")) {
            try (TestTopic testTopic = new TestTopic(data.resolve("room-" + audit), "audit: " + audit)) {
                TestParticipant files = testTopic.join("files");
                TestParticipant alice = testTopic.join("alice");
                alice.send(call("q-1"));
                files.awaitId("q-1");
                JsonNode error = alice.sendAndAwaitError(call("q-1").payload(other));
                assertThat(error.path("error").asString()).isEqualTo("duplicate_id");
                TestTopic.Answer posted = testTopic.post("alice", call("q-1").to("files", "search"));
                assertThat(posted.status()).isEqualTo(409);
                assertThat(posted.code()).isEqualTo("duplicate_id");
                // The ids of other callers are independent.
                testTopic.join("bob").send(call("q-1").payload(other));
                files.awaitId("q-1");
                files.send(answer("a-1", "q-1").to("alice"));
                awaitOutcome(testTopic, "q-1", "ok");
                assertThat(calls(testTopic, "?by=alice"))
                        .singleElement()
                        .satisfies(call ->
                                assertThat(call.path("digest").asString()).isEqualTo(DIGEST));
                // An answered call is no longer open.
                alice.send(call("q-1").payload(other));
                files.awaitId("q-1");
                await().until(() -> calls(testTopic, "?by=alice").size() == 2);
            }
        }
    }

    @Test
    void aCallThatIsSentAgainIsDeliveredAgainAndRecordedOnce() throws Exception {
        for (String audit : List.of("on", "sync")) {
            try (TestTopic testTopic = new TestTopic(data.resolve("room-" + audit), "audit: " + audit)) {
                TestParticipant files = testTopic.join("files");
                TestParticipant alice = testTopic.join("alice");
                alice.send(call("q-1"));
                files.awaitId("q-1");
                alice.send(call("q-1").with("ts", "2026-01-05T10:00:00Z"));
                files.awaitId("q-1");
                files.send(answer("a-1", "q-1").to("alice"));
                awaitOutcome(testTopic, "q-1", "ok");
                assertThat(calls(testTopic, "")).hasSize(1);
            }
        }
    }

    @Test
    void ifReviewersAreHiddenTheProposerDoesNotLearnWhoApproved() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"), "showApprovers: false")) {
            TestParticipant files = testTopic.join("files");
            testTopic.post("helper", proposal("p-1"));
            testTopic.post("alice", fulfilment("f-1", "p-1"));
            files.awaitId("f-1");
            files.send(answer("a-1", "f-1").to("alice"));
            awaitOutcome(testTopic, "f-1", "ok");
            JsonNode page = testTopic.get("helper", "/topics/ops/calls").body();
            assertThat(page.path("calls").get(0).path("by").asString()).isEqualTo("a reviewer");
            assertThat(page.toString()).doesNotContain("alice");
            assertThat(testTopic
                            .get("helper", "/topics/ops/calls?by=alice")
                            .body()
                            .path("calls"))
                    .isEmpty();
            assertThat(calls(testTopic, "?by=alice")).hasSize(1);
        }
    }

    @Test
    void aCallThatIsNotAnsweredIsShownSo() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            TestParticipant alice = testTopic.join("alice");
            alice.send(call("q-1"));
            files.awaitId("q-1");
            awaitOutcome(testTopic, "q-1", "unanswered");
            files.close();
            awaitOutcome(testTopic, "q-1", "left");
            assertThat(alice.sendAndAwaitError(call("q-2").to("nowhere"))
                            .path("error")
                            .asString())
                    .isEqualTo("unknown_recipient");
            assertThat(awaitOutcome(testTopic, "q-2", "undelivered").path("to").toString())
                    .isEqualTo("[\"nowhere\"]");
        }
    }

    @Test
    void aCallToAMemberThatIsNotConnectedIsRefusedAndRecordedAsNotDelivered() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestTopic.Answer answer = testTopic.post("alice", call("q-1"));
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("unknown_recipient");
            assertThat(answer.body().path("detail").asString()).contains("Not connected: files");
            awaitOutcome(testTopic, "q-1", "undelivered");
            testTopic.join("files").close();
            testTopic.join("alice").receivedBefore(testTopic.join("bob"));
            awaitOutcome(testTopic, "q-1", "undelivered");
        }
    }

    @Test
    void anAnswerOfAMemberThatWasNotAskedIsNotTheOutcome() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            TestParticipant search = testTopic.join("search");
            TestParticipant alice = testTopic.join("alice");
            alice.send(call("q-1"));
            files.awaitId("q-1");
            search.send(answer("a-0", "q-1").to("alice"));
            alice.awaitId("a-0");
            files.send(answer("a-1", "q-1")
                    .to("alice")
                    .payload("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"no\"}}"));
            assertThat(awaitOutcome(testTopic, "q-1", "error")
                            .path("answeredBy")
                            .asString())
                    .isEqualTo("files");
        }
    }

    @Test
    void theListIsReadByPageAndFilter() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            TestParticipant alice = testTopic.join("alice");
            TestParticipant bob = testTopic.join("bob");
            for (int i = 1; i <= 5; i++) {
                (i % 2 == 0 ? bob : alice).send(call("q-" + i));
                files.awaitId("q-" + i);
                files.send(answer("a-" + i, "q-" + i).to(i % 2 == 0 ? "bob" : "alice"));
                awaitOutcome(testTopic, "q-" + i, "ok");
            }
            assertThat(calls(testTopic, "?by=bob"))
                    .extracting(each -> each.path("id").asString())
                    .containsExactly("q-4", "q-2");
            assertThat(calls(testTopic, "?name=read_file")).isEmpty();
            assertThat(calls(testTopic, "?outcome=error")).isEmpty();
            assertThat(calls(testTopic, "?to=files&method=tools/call&after=2020-01-01T00:00:00Z"))
                    .hasSize(5);
            assertThat(calls(testTopic, "?after=2100-01-01T00:00:00Z")).isEmpty();
            List<String> ids = new ArrayList<>();
            String cursor = "";
            do {
                JsonNode page = page(testTopic, "?limit=2" + cursor);
                list(page.path("calls")).forEach(each -> {
                    assertThat(each.path("outcome").asString()).isEqualTo("ok");
                    ids.add(each.path("id").asString());
                });
                cursor = page.has("cursor") ? "&cursor=" + page.path("cursor").asString() : "";
            } while (!cursor.isEmpty());
            assertThat(ids).containsExactly("q-5", "q-4", "q-3", "q-2", "q-1");
        }
    }

    @Test
    void ifOnlyThoseWhoAreInvolvedMayReadOthersDoNotSeeTheCall() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"), "visibility: involved", "audit: sync")) {
            TestParticipant files = testTopic.join("files");
            testTopic.join("alice").send(call("q-1"));
            files.awaitId("q-1");
            for (String member : List.of("alice", "files")) {
                assertThat(testTopic.get(member, "/topics/ops/calls").body().path("calls"))
                        .as(member)
                        .hasSize(1);
            }
            assertThat(calls(testTopic, "")).isEmpty();
        }
    }

    @Test
    void aRequestThatIsNotValidIsRefused() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            assertThat(testTopic.get("carol", "/topics/ops/calls?outcome=fine").code())
                    .isEqualTo("bad_outcome");
            assertThat(testTopic.get("carol", "/topics/ops/calls?after=today").code())
                    .isEqualTo("bad_after");
            assertThat(testTopic.get("carol", "/topics/ops/calls?limit=0").code())
                    .isEqualTo("bad_limit");
            assertThat(testTopic.get("carol", "/topics/ops/calls?cursor=x").code())
                    .isEqualTo("bad_cursor");
            assertThat(testTopic.get("mallory", "/topics/ops/calls").status()).isEqualTo(403);
        }
    }

    @Test
    void aTopicWithoutALedgerRecordsNoCalls() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.joinTopic("files", "plain", "");
            TestParticipant alice = testTopic.joinTopic("alice", "plain", "");
            alice.send(call("q-1"));
            files.awaitId("q-1");
            assertThat(testTopic.get("alice", "/topics/plain/calls").code()).isEqualTo("no_ledger");
        }
        assertThat(streams()).noneMatch(stream -> stream.contains("calls"));
    }

    @Test
    void recordsSurviveARestartWithoutAGap() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            testTopic.join("alice").send(call("q-1"));
            files.awaitId("q-1");
            testTopic.restart();
            assertThat(calls(testTopic, "")).hasSize(1);
            assertThat(page(testTopic, "").path("gaps")).isEmpty();
        }
    }

    @Test
    void ifCallsNeedNotWaitTheyAreMadeWithoutTheLedgerAndRecordedLater() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"))) {
            TestParticipant files = testTopic.join("files");
            TestParticipant alice = testTopic.join("alice");
            try (Connection _ = LedgerUnavailableTest.lockLedger(data.resolve("room"))) {
                alice.send(call("q-1"));
                files.awaitId("q-1");
                alice.send(call("q-2"));
                files.awaitId("q-2");
            }
            awaitOutcome(testTopic, "q-1", "unanswered");
            awaitOutcome(testTopic, "q-2", "unanswered");
            assertThat(calls(testTopic, "")).hasSize(2);
        }
    }

    @Test
    void ifCallsMustWaitTheyAreRefusedWithoutTheLedger() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"), "audit: sync")) {
            TestParticipant files = testTopic.join("files");
            TestParticipant alice = testTopic.join("alice");
            alice.send(call("q-1"));
            files.awaitId("q-1");
            assertThat(calls(testTopic, "")).hasSize(1);
            try (Connection _ = LedgerUnavailableTest.lockLedger(data.resolve("room"))) {
                JsonNode error = alice.sendAndAwaitError(call("q-2"));
                assertThat(error.path("error").asString()).isEqualTo("unavailable");
                assertThat(error.path("message").asString()).contains("audit: sync");
                assertThat(testTopic.post("alice", call("q-3")).status()).isEqualTo(503);
            }
            assertThat(TestParticipant.ids(files.receivedBefore(alice))).doesNotContain("q-2", "q-3");
            awaitOutcome(testTopic, "q-2", "undelivered");
        }
    }

    @Test
    void callsThatMustWaitKeepTheOrderOfTheirSender() throws Exception {
        try (TestTopic testTopic = new TestTopic(data.resolve("room"), "audit: sync")) {
            TestParticipant files = testTopic.join("files");
            TestParticipant alice = testTopic.join("alice");
            for (int i = 0; i < 20; i++) {
                alice.send(call("q-" + i));
                alice.send(TestEnvelope.chat("c-" + i));
            }
            files.awaitId("q-0");
            assertThat(TestParticipant.id(files.next())).isEqualTo("c-0");
            for (int i = 1; i < 20; i++) {
                assertThat(TestParticipant.id(files.next())).isEqualTo("q-" + i);
                assertThat(TestParticipant.id(files.next())).isEqualTo("c-" + i);
            }
            assertThat(calls(testTopic, "?limit=500")).hasSize(20);
        }
    }

    @Test
    void afterAKillTheGapIsShownAndTheRecordsVerify() throws Exception {
        try (TestTopic testTopic = TestTopic.inSeparateProcess(data)) {
            TestParticipant files = testTopic.join("files");
            TestParticipant alice = testTopic.join("alice");
            alice.send(call("q-0"));
            files.awaitId("q-0");
            awaitOutcome(testTopic, "q-0", "unanswered");
            for (int i = 1; i < 100; i++) {
                alice.send(call("q-" + i));
                files.awaitId("q-" + i);
            }
            testTopic.kill();
            testTopic.restart();
            List<JsonNode> gaps =
                    await().until(() -> list(page(testTopic, "?limit=500").path("gaps")), found -> !found.isEmpty());
            assertThat(gaps.getFirst().path("reason").asString()).isEqualTo("interrupted");
            assertThat(calls(testTopic, "?limit=500"))
                    .extracting(each -> each.path("id").asString())
                    .contains("q-0");
            testTopic.kill();
        }
        try (SqliteLedger ledger = ledger(data.resolve("data"))) {
            StreamAuditResult result = HashChainVerifier.verify(ledger, "system:calls:ops", List.of(), () -> {});
            assertThat(result.findings()).isEmpty();
            assertThat(result.events()).isPositive();
        }
    }

    @Test
    void aKillDuringTheFirstCallsLeavesATrace() throws Exception {
        try (TestTopic testTopic = TestTopic.inSeparateProcess(data)) {
            TestParticipant files = testTopic.join("files");
            testTopic.join("alice").send(call("q-1"));
            files.awaitId("q-1");
            testTopic.kill();
            testTopic.restart();
            JsonNode page = await().until(
                            () -> page(testTopic, ""),
                            found -> !found.path("gaps").isEmpty());
            assertThat(page.path("calls").get(0).path("id").asString()).isEqualTo("q-1");
        }
    }

    private List<String> streams() {
        try (SqliteLedger ledger = ledger(data.resolve("room"))) {
            return ledger.streams();
        }
    }

    private static SqliteLedger ledger(Path directory) {
        return ((SqliteOpenResult.Opened) SqliteLedger.open(directory.resolve("ledger.db"), SqliteOptions.DEFAULT))
                .ledger();
    }
}
