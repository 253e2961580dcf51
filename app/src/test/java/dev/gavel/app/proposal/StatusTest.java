package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.status;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests statuses: every holder of the capability may report its status, which changes nothing. */
class StatusTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        testTopic.join("alice");
        helper = testTopic.join("helper", "&mode=directed");
        helper.sendAndAwaitEcho(proposal("p-1"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"considering", "queued", "processing", "unable"})
    void aStatusReachesTheProposerAndIsKept(String word) throws Exception {
        testTopic
                .join("carol")
                .sendAndAwaitEcho(status("s-1", word, "p-1")
                        .payload("note", "after lunch")
                        .to("bob"));
        assertThat(helper.awaitId("s-1").path("payload").path("status").asString())
                .isEqualTo(word);
        JsonNode shown = testTopic.proposal("helper", "p-1");
        assertThat(shown.path("state").asString()).isEqualTo("open");
        JsonNode last = shown.path("timeline").values().stream().toList().getLast();
        assertThat(last.path("event").asString()).isEqualTo("status");
        assertThat(last.path("by").asString()).isEqualTo("carol");
        assertThat(last.path("status").asString()).isEqualTo(word);
        assertThat(last.path("note").asString()).isEqualTo("after lunch");
    }

    @Test
    void anotherWordIsMalformed() throws Exception {
        assertThat(testTopic
                        .join("carol")
                        .sendAndAwaitError(status("s-1", "thinking", "p-1"))
                        .path("error")
                        .asString())
                .isEqualTo("malformed");
    }

    @Test
    void whoHasNotTheCapabilityMayNot() throws Exception {
        assertThat(testTopic
                        .join("files")
                        .sendAndAwaitError(status("s-1", "queued", "p-1"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
    }

    @Test
    void whatNobodyProposedIsUnknown() throws Exception {
        JsonNode error = testTopic.join("bob").sendAndAwaitError(status("s-1", "queued", "p-9"));
        assertThat(error.path("error").asString()).isEqualTo("unknown_proposal");
        assertThat(error.path("proposal").asString()).isEqualTo("p-9");
    }
}
