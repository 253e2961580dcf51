package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.status;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests the limits on what one identity may ask reviewers to decide and may store. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // each test starts its own
class AskLimitTest {
    private static final int LARGE = 60_000;

    @TempDir
    private Path data;

    private TestTopic testTopic;

    private void start(String limits) throws IOException {
        testTopic = TestTopic.withLimits(data.resolve("room"), limits);
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private void accept(TestEnvelope envelope) throws Exception {
        TestTopic.Answer answer = testTopic.post("helper", envelope);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(202);
    }

    @Test
    void moreOpenProposalsThanTheLimitAreDenied() throws Exception {
        start("ask: {open: 2, hour: 100}");
        accept(proposal("p-1"));
        accept(proposal("p-2"));
        TestTopic.Answer denied = testTopic.post("helper", proposal("p-3"));
        assertThat(denied.status()).isEqualTo(429);
        assertThat(denied.code()).isEqualTo("ask_limit");
        assertThat(denied.body().path("detail").asString())
                .contains("2 of your proposals")
                .contains("withdraw");
        assertThat(denied.body().has("retryAfterMs")).isFalse();
        accept(proposal("p-1"));
        accept(withdrawal("w-1", "p-1"));
        accept(proposal("p-3"));
        testTopic.post("alice", proposal("p-4"));
        assertThat(testTopic.state("p-4")).isEqualTo("open");
    }

    @Test
    void moreProposalsAnHourThanTheLimitAreDeniedAlsoAfterARestart() throws Exception {
        start("ask: {open: 100, hour: 3}");
        for (int i = 1; i <= 3; i++) {
            accept(proposal("p-" + i));
            accept(withdrawal("w-" + i, "p-" + i));
        }
        testTopic.restart();
        JsonNode denied = testTopic.join("helper").sendAndAwaitError(proposal("p-4"));
        assertThat(denied.path("error").asString()).isEqualTo("ask_limit");
        assertThat(denied.path("message").asString()).contains("3 proposals within the last hour");
        assertThat(denied.path("retryAfterMs").asLong()).isBetween(1L, 3_600_000L);
    }

    @Test
    void proposalsThatAreWithdrawnOverAWebSocketStillCountForTheHour() throws Exception {
        start("ask: {open: 1, hour: 3}");
        TestParticipant helper = testTopic.join("helper");
        for (int i = 1; i <= 3; i++) {
            helper.sendAndAwaitEcho(proposal("p-" + i));
            helper.sendAndAwaitEcho(withdrawal("w-" + i, "p-" + i));
        }
        JsonNode denied = helper.sendAndAwaitError(proposal("p-4"));
        assertThat(denied.path("error").asString()).isEqualTo("ask_limit");
        assertThat(denied.path("message").asString()).contains("3 proposals within the last hour");
        TestTopic.Answer deniedByHttp = testTopic.post("helper", proposal("p-5"));
        assertThat(deniedByHttp.status()).isEqualTo(429);
        assertThat(deniedByHttp.code()).isEqualTo("ask_limit");
    }

    @Test
    void proposalsThatArriveTogetherAreCountedTogether() throws Exception {
        start("ask: {open: 5}");
        TestParticipant helper = testTopic.join("helper");
        for (int i = 0; i < 40; i++) {
            helper.send(proposal("p-" + i));
        }
        helper.sendAndAwaitError(proposal("p-40"));
        assertThat(testTopic
                        .get("alice", "/topics/ops/proposals?state=open")
                        .body()
                        .path("proposals")
                        .size())
                .isEqualTo(5);
    }

    @Test
    void openProposalsThatAreTooLargeTogetherAreDenied() throws Exception {
        start("ask: off, bytes: {open: 100KiB}");
        accept(large("p-1"));
        TestTopic.Answer denied = testTopic.post("helper", large("p-2"));
        assertThat(denied.status()).isEqualTo(429);
        assertThat(denied.code()).isEqualTo("quota_exceeded");
        accept(proposal("p-3"));
        accept(withdrawal("w-1", "p-1"));
        accept(large("p-4"));
    }

    @Test
    void anIdentityThatWroteTooMuchTodayIsDeniedButAReviewerCanStillReject() throws Exception {
        start("ask: off, bytes: {day: 200KiB}");
        for (int i = 1; i <= 3; i++) {
            accept(large("p-" + i));
            accept(withdrawal("w-" + i, "p-" + i));
        }
        TestTopic.Answer denied = testTopic.post("helper", large("p-4"));
        assertThat(denied.code()).isEqualTo("quota_exceeded");
        assertThat(denied.body().path("detail").asString()).contains("00:00 UTC");
        assertThat(denied.body().path("retryAfterMs").asLong()).isPositive();
        testTopic.restart();
        assertThat(testTopic.post("helper", large("p-5")).code()).isEqualTo("quota_exceeded");

        testTopic.post("alice", proposal("p-6"));
        String note = "x".repeat(LARGE);
        for (int i = 1; i <= 3; i++) {
            assertThat(testTopic
                            .post("carol", status("s-" + i, "queued", "p-6").payload("details", note))
                            .status())
                    .isEqualTo(202);
        }
        assertThat(testTopic
                        .post("carol", status("s-4", "queued", "p-6").payload("details", note))
                        .code())
                .isEqualTo("quota_exceeded");
        // Small for one proposal, but stored for each of them.
        String[] several =
                IntStream.range(7, 17).mapToObj(number -> "p-" + number).toArray(String[]::new);
        for (String id : several) {
            testTopic.post("alice", proposal(id));
        }
        assertThat(testTopic
                        .post("carol", status("s-5", "queued", several).payload("details", "x".repeat(3_000)))
                        .code())
                .isEqualTo("quota_exceeded");
        assertThat(testTopic.post("carol", rejection("r-1", "no", "p-6")).status())
                .isEqualTo(202);
    }

    private static TestEnvelope large(String id) {
        return proposal(id)
                .payload("{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":{\"content\":\""
                        + "x".repeat(LARGE) + "\"}}}");
    }
}
