package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.unfulfillable;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Tests whether a participant that can decide a proposal is connected, and what its proposer is notified of. To check
 * that no notice arrives within the two seconds of grace, a test waits for the expiry of a proposal that ends later.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT) // each test has its own topic, and mostly waits
class ReachabilityTest {
    private static final String UNREACHABLE = "system.proposal.unreachable";
    private static final String REACHABLE = "system.proposal.reachable";

    @TempDir
    private Path data;

    private TestTopic testTopic;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private static String couldFulfil(JsonNode notice) {
        return notice.path("payload").path("couldFulfil").toString();
    }

    @Test
    void whoProposesWhereNobodyCouldIsHereIsToldWhoCould() throws Exception {
        TestParticipant helper = testTopic.join("helper", "&mode=directed");
        helper.sendAndAwaitEcho(proposal("p-1"));
        JsonNode notice = helper.await(UNREACHABLE, "p-1");
        assertThat(notice.path("from").asString()).isEqualTo("system:gateway");
        assertThat(notice.path("correlationId").asString()).isEqualTo("p-1");
        assertThat(TestParticipant.id(notice)).startsWith("gw-");
        assertThat(couldFulfil(notice)).isEqualTo("[\"alice\",\"bob\"]");
    }

    @Test
    void whenOneComesTheProposerIsToldOnce() throws Exception {
        TestParticipant helper = testTopic.join("helper", "&mode=directed");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.await(UNREACHABLE, "p-1");
        TestParticipant bob = testTopic.join("bob");
        JsonNode notice = helper.await(REACHABLE, "p-1");
        assertThat(notice.path("correlationId").asString()).isEqualTo("p-1");
        assertThat(couldFulfil(notice)).isEqualTo("[\"bob\"]");
        testTopic.join("alice");
        helper.await("system.presence");
        assertThat(TestParticipant.kinds(helper.receivedBefore(bob))).doesNotContain(REACHABLE, UNREACHABLE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            somebody who could is here                                     | alice       | []                | reachable
            nobody who could is here                                       | carol files | []                | ["alice","bob"]
            the target is here                                             | bob         | ["bob"]           | reachable
            the target is away, another who could is here                  | alice       | ["bob"]           | ["bob"]
            one of two targets is here                                     | alice       | ["alice","bob"]   | reachable
            the target may only reject and is here, one who could too      | carol alice | ["carol"]         | reachable
            the target may only reject and is here, nobody who could is    | carol       | ["carol"]         | ["alice","bob"]
            the target may only reject and is away, one who could is here  | alice       | ["carol"]         | ["carol"]
            a name that says where is away, one who could is here          | alice       | ["files"]         | reachable
            a name that says where is here, nobody who could is            | files       | ["files"]         | ["alice","bob"]
            a target is here, a name that says where is away               | bob         | ["bob","files"]   | reachable
            """)
    void itDependsOnWhoCouldAndOnTheTargets(String what, String here, String to, String expected) throws Exception {
        for (String each : here.split(" ", -1)) {
            testTopic.join(each);
        }
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("clock").ttl(3));
        helper.sendAndAwaitEcho(proposal("p-1").with("to", TestEnvelope.JSON.readTree(to)));
        if (expected.equals("reachable")) {
            assertThat(helper.receivedBefore("system.proposal.expired", "clock").stream()
                            .filter(each -> TestParticipant.about(each).contains("p-1")))
                    .as(what)
                    .isEmpty();
        } else {
            assertThat(couldFulfil(helper.await(UNREACHABLE, "p-1"))).as(what).isEqualTo(expected);
        }
    }

    @Test
    void whatNobodyInTheTopicCouldDoIsUnreachableToo() throws Exception {
        testTopic.join("alice");
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(unfulfillable("p-1"));
        assertThat(couldFulfil(helper.await(UNREACHABLE, "p-1"))).isEqualTo("[]");
    }

    @Test
    void whenTheLastOneLeavesTheProposerIsToldAndAgainWhenOneIsBack() throws Exception {
        TestParticipant alice = testTopic.join("alice");
        TestParticipant bob = testTopic.join("bob");
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
        alice.close();
        bob.close();
        assertThat(couldFulfil(helper.await(UNREACHABLE, "p-1"))).isEqualTo("[\"alice\",\"bob\"]");
        TestParticipant back = testTopic.join("bob");
        assertThat(couldFulfil(helper.await(REACHABLE, "p-1"))).isEqualTo("[\"bob\"]");
        back.close();
        assertThat(couldFulfil(helper.await(UNREACHABLE, "p-1"))).isEqualTo("[\"alice\",\"bob\"]");
    }

    @Test
    void whoIsBackWithinTheGraceWasNeverAway() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.sendAndAwaitEcho(proposal("clock").ttl(4));
        bob.close();
        helper.await("system.presence");
        testTopic.join("bob");
        assertThat(TestParticipant.kinds(helper.receivedBefore("system.proposal.expired", "clock")))
                .doesNotContain(UNREACHABLE, REACHABLE);
    }

    @Test
    void whileOneOfThoseWhoCouldStaysNothingIsSaid() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        testTopic.join("alice");
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.sendAndAwaitEcho(proposal("clock").ttl(4));
        bob.close();
        helper.await("system.presence");
        assertThat(TestParticipant.kinds(helper.receivedBefore("system.proposal.expired", "clock")))
                .doesNotContain(UNREACHABLE, REACHABLE);
    }

    @Test
    void theLastTargetsLeavingCountsThoughOthersCould() throws Exception {
        testTopic.join("alice");
        TestParticipant bob = testTopic.join("bob");
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1").to("bob"));
        bob.close();
        assertThat(couldFulfil(helper.await(UNREACHABLE, "p-1"))).isEqualTo("[\"bob\"]");
    }

    @Test
    void whoListensToAStreamIsHere() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.await(UNREACHABLE, "p-1");
        TestEventStream bob = testTopic.listen("bob", "", "");
        assertThat(couldFulfil(helper.await(REACHABLE, "p-1"))).isEqualTo("[\"bob\"]");
        bob.close();
        assertThat(couldFulfil(helper.await(UNREACHABLE, "p-1"))).isEqualTo("[\"alice\",\"bob\"]");
    }

    @Test
    void whoPollsIsHere() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.await(UNREACHABLE, "p-1");
        testTopic.poll("bob", 0, 0);
        assertThat(couldFulfil(helper.await(REACHABLE, "p-1"))).isEqualTo("[\"bob\"]");
    }

    @Test
    void aProposerThatConnectsLearnsOfItFromItsWelcomeAndNoticesAreNotReplayed() throws Exception {
        testTopic.post("helper", proposal("p-1"));
        testTopic.join("helper").await(UNREACHABLE, "p-1");
        TestParticipant helper = testTopic.join("helper", "&since=0");
        assertThat(welcomeStatus(helper)).startsWith("waiting for alice or bob (not connected)");
        TestParticipant bob = testTopic.join("bob");
        assertThat(couldFulfil(helper.await(REACHABLE, "p-1"))).isEqualTo("[\"bob\"]");
        TestParticipant again = testTopic.join("helper", "&since=0");
        assertThat(welcomeStatus(again)).startsWith("waiting for bob (connected)");
        again.awaitId("p-1");
        assertThat(TestParticipant.kinds(again.receivedBefore(bob))).doesNotContain(UNREACHABLE, REACHABLE);
    }

    private static String welcomeStatus(TestParticipant participant) {
        return participant
                .welcome()
                .path("payload")
                .path("proposals")
                .path(0)
                .path("guidance")
                .path("status")
                .asString();
    }

    @Test
    void presenceWritesNoEventWhateverTheNumberOfOpenProposals() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        for (int i = 0; i < 300; i++) {
            helper.send(proposal("p-" + i));
        }
        awaitNotices(helper, UNREACHABLE, 300);
        long before = seq();
        for (int i = 0; i < 3; i++) {
            TestParticipant bob = testTopic.join("bob");
            awaitNotices(helper, REACHABLE, 300);
            bob.close();
            awaitNotices(helper, UNREACHABLE, 300);
        }
        assertThat(seq()).isEqualTo(before).isEqualTo(300);
        assertThat(TestParticipant.texts(testTopic.proposal("helper", "p-7").path("timeline"), "event"))
                .containsExactly("proposed");
    }

    private static void awaitNotices(TestParticipant helper, String kind, int count) throws Exception {
        Set<String> notified = new HashSet<>();
        while (notified.size() < count) {
            notified.addAll(TestParticipant.about(helper.await(kind)));
        }
    }

    /** The last seq of the topic's ledger. */
    private long seq() throws Exception {
        return testTopic.join("carol").seq();
    }
}
