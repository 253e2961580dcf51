package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.unfulfillable;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests late joins: the welcome contains the open proposals that the participant made or can decide, and no others. */
class LateJoinTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            one who could fulfil it                  | alice  | []          | true
            one who could, though another is asked   | alice  | ["bob"]     | true
            the one who is asked                     | bob    | ["bob"]     | true
            a target who may only reject             | carol  | ["carol"]   | true
            who made it                              | helper | ["bob"]     | true
            who may reject, but is not asked         | carol  | []          | false
            where it is to run                       | files  | ["files"]   | false
            somebody else                            | search | []          | false
            """)
    void itIsThereForWhoMadeItOrCouldDecideIt(String what, String who, String to, boolean there) throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1").with("to", TestEnvelope.JSON.readTree(to)));
        for (String mode : List.of("", "&mode=directed")) {
            assertThat(testTopic.join(who, mode).openProposals())
                    .as(what)
                    .isEqualTo(there ? List.of("p-1") : List.of());
        }
    }

    @Test
    void itSaysWhatIsSaidOfThatProposalElsewhere() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        helper.sendAndAwaitEcho(proposal("p-1").to("bob"));
        bob.sendAndAwaitEcho(rejection("r-1", "busy", "p-1").to("helper"));
        helper.sendAndAwaitEcho(proposal("p-2"));
        JsonNode told = testTopic
                .join("alice")
                .welcome()
                .path("payload")
                .path("proposals")
                .path(0);
        JsonNode shown = testTopic.proposal("alice", "p-2");
        assertThat(told.propertyNames()).containsExactlyInAnyOrderElementsOf(shown.propertyNames());
        for (String field :
                List.of("id", "from", "to", "kind", "payload", "state", "reasons", "expiresAt", "timeline")) {
            assertThat(told.path(field)).as(field).isEqualTo(shown.path(field));
        }
        assertThat(told.path("guidance").path("nextStep").asString()).contains("p-2");
    }

    @ParameterizedTest
    @CsvSource({"fulfilled", "rejected", "withdrawn", "expired"})
    void whatHasEndedIsNotThere(String state) throws Exception {
        testTopic.join("files");
        TestParticipant bob = testTopic.join("bob");
        helper.sendAndAwaitEcho(state.equals("expired") ? proposal("p-1").ttl(1) : proposal("p-1"));
        helper.sendAndAwaitEcho(proposal("p-2"));
        switch (state) {
            case "fulfilled" -> bob.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
            case "rejected" -> bob.sendAndAwaitEcho(rejection("r-1", "policy", "p-1"));
            case "withdrawn" -> helper.sendAndAwaitEcho(withdrawal("w-1", "p-1"));
            default -> helper.await("system.proposal.expired", "p-1");
        }
        assertThat(testTopic.join("alice").openProposals()).containsExactly("p-2");
        assertThat(testTopic.join("helper").openProposals()).containsExactly("p-2");
    }

    @Test
    void whatNobodyCouldDoIsThereForWhoMadeIt() throws Exception {
        helper.sendAndAwaitEcho(unfulfillable("p-1"));
        assertThat(testTopic.join("alice").openProposals()).isEmpty();
        assertThat(testTopic.join("helper").openProposals()).containsExactly("p-1");
    }

    @Test
    void ofMoreThanFitTheRestIsCounted() throws Exception {
        int all = 400;
        for (int i = 0; i < all; i++) {
            helper.send(proposal("p-" + i));
        }
        helper.awaitId("p-" + (all - 1));
        TestParticipant alice = testTopic.join("alice");
        assertThat(alice.openProposals()).isNotEmpty().doesNotHaveDuplicates();
        assertThat(alice.openProposals().size()
                        + alice.welcome().path("payload").path("more").asInt(0))
                .isEqualTo(all);
    }

    @Test
    void aProposerWhoWasAwayLearnsBySinceWhatBecameOfTheirs() throws Exception {
        testTopic.join("files");
        TestParticipant bob = testTopic.join("bob");
        for (String id : List.of("p-1", "p-2")) {
            helper.sendAndAwaitEcho(proposal(id));
        }
        helper.sendAndAwaitEcho(proposal("p-3").ttl(3));
        TestParticipant leaving = testTopic.join("helper");
        leaving.close();
        bob.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        bob.sendAndAwaitEcho(rejection("r-2", "policy", "p-2"));
        bob.await("system.proposal.expired", "p-3");
        TestParticipant back = testTopic.join("helper", "&mode=directed&since=" + leaving.seq());
        assertThat(back.openProposals()).isEmpty();
        List<JsonNode> missed = back.receivedBefore("system.proposal.expired", "p-3");
        assertThat(TestParticipant.ids(missed)).contains("f-1", "r-2");
        assertThat(TestParticipant.kinds(missed)).contains("system.proposal.rejected");
    }
}
