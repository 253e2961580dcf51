package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.status;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Tests that nothing changes an ended proposal, and that a participant that tries receives its state. */
class EndedProposalTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant alice;
    private TestParticipant bob;
    private TestParticipant files;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        alice = testTopic.join("alice");
        bob = testTopic.join("bob");
        files = testTopic.join("files");
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    static Stream<Arguments> tries() {
        return Stream.of("fulfilled", "rejected", "withdrawn", "expired")
                .flatMap(state -> Stream.of("withdraw", "reject", "status", "fulfil")
                        .map(act -> Arguments.of(
                                state,
                                act,
                                state.equals("fulfilled") && act.equals("fulfil")
                                        ? "already_fulfilled"
                                        : "proposal_closed")));
    }

    private void end(String state) throws IOException {
        helper.sendAndAwaitEcho(state.equals("expired") ? proposal("p-1").ttl(1) : proposal("p-1"));
        switch (state) {
            case "fulfilled" -> alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
            case "rejected" -> alice.sendAndAwaitEcho(rejection("r-1", "policy", "p-1"));
            case "withdrawn" -> helper.sendAndAwaitEcho(withdrawal("w-1", "p-1"));
            default -> helper.await("system.proposal.expired", "p-1");
        }
    }

    @ParameterizedTest
    @MethodSource("tries")
    void whateverIsTriedIsRefusedAndNotRouted(String state, String act, String error) throws Exception {
        end(state);
        TestParticipant actor = act.equals("withdraw") ? helper : bob;
        JsonNode refused = actor.sendAndAwaitError(
                switch (act) {
                    case "withdraw" -> withdrawal("late", "p-1");
                    case "reject" -> rejection("late", "policy", "p-1");
                    case "status" -> status("late", "considering", "p-1");
                    default -> fulfilment("late", "p-1");
                });
        assertThat(refused.path("error").asString()).isEqualTo(error);
        assertThat(refused.path("proposal").asString()).isEqualTo("p-1");
        assertThat(refused.path("state").asString()).isEqualTo(state);
        assertThat(refused.path("message").asString()).isNotBlank();
        for (TestParticipant testParticipant : List.of(alice, files)) {
            assertThat(TestParticipant.ids(testParticipant.receivedBefore(actor)))
                    .doesNotContain("late");
        }
        assertThat(testTopic.state("p-1")).isEqualTo(state);
    }
}
