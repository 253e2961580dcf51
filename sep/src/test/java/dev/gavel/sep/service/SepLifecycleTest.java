package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the way of a SEP from submission to its end, each step by the person whose turn it is. */
class SepLifecycleTest {
    @TempDir
    private Path directory;

    private SepServiceFixture sepServiceFixture;

    @BeforeEach
    void open() {
        sepServiceFixture = new SepServiceFixture(directory);
    }

    @AfterEach
    void close() {
        sepServiceFixture.close();
    }

    private Json next(String who, int number) {
        return sepServiceFixture.executeSuccessfully(who, SepOperation.NEXT, "number", number);
    }

    private void move(String who, int number, String to, Object... more) {
        Object[] pairs = new Object[more.length + 4];
        System.arraycopy(new Object[] {"number", number, "to", to}, 0, pairs, 0, 4);
        System.arraycopy(more, 0, pairs, 4, more.length);
        assertThat(sepServiceFixture
                        .executeSuccessfully(who, SepOperation.MOVE, pairs)
                        .at("status")
                        .text())
                .isEqualTo(to);
    }

    private static Json evidence(String kind, String value) {
        return Json.object().with(kind, Json.ofText(value));
    }

    @Test
    void theSixStepsFromProposalToFinal() {
        int number = sepServiceFixture.submit("alice", "Quiet logs", "**Author(s)**: Alice (@alice-writes), @frank");
        Json proposal = next("bob", number);
        assertThat(proposal.at("status").text()).isEqualTo("proposal");
        assertThat(proposal.at("nextStep").text()).contains("sponsor");
        assertThat(proposal.at("mustAct").elements().getFirst().at("who").text())
                .isEqualTo("maintainer");

        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        Json draft = sepServiceFixture.executeSuccessfully("erin", SepOperation.SHOW, "number", number);
        assertThat(draft.at("status").text()).isEqualTo("draft");
        assertThat(draft.at("sponsor").text()).isEqualTo("bob");
        assertThat(draft.at("authors").texts()).containsExactly("alice", "@frank");
        assertThat(draft.at("type").text()).isEqualTo("Standards Track");

        assertThat(sepServiceFixture
                        .executeRefused("alice", SepOperation.MOVE, "number", number, "to", "provisional")
                        .message())
                .contains("Bob")
                .contains("link");
        sepServiceFixture.attachConfirmed("bob", number, "goals", "https://example.org/minutes", "carol");
        move("bob", number, "provisional");
        sepServiceFixture.advanceClock(Duration.ofDays(3));
        move("bob", number, "prototyping", "evidence", evidence("prototype", "https://example.org/code"));
        sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.ATTACH,
                "number",
                number,
                "evidence",
                evidence("ready", "all sections are there"));
        assertThat(next("bob", number).at("nextStep").text()).contains("in-review");
        move("bob", number, "in-review", "reason", "reads well");
        sepServiceFixture.executeSuccessfully(
                "carol", SepOperation.VOTE, "number", number, "ballot", "concern", "reason", "what about old clients?");
        sepServiceFixture.executeSuccessfully("dave", SepOperation.VOTE, "number", number, "ballot", "yes");
        assertThat(sepServiceFixture
                        .executeRefused("dave", SepOperation.MOVE, "number", number, "to", "accepted")
                        .code())
                .isEqualTo("missing");
        sepServiceFixture.executeSuccessfully("carol", SepOperation.VOTE, "number", number, "ballot", "yes");
        move("carol", number, "accepted");
        sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.ATTACH,
                "number",
                number,
                "evidence",
                evidence("reference-implementation", "https://example.org/merged"));
        sepServiceFixture.executeSuccessfully(
                "bob", SepOperation.ATTACH, "number", number, "evidence", evidence("merged", "all is merged"));
        move("bob", number, "final", "evidence", evidence("conformance", "https://example.org/suite"));
        assertThat(next("alice", number).at("mustAct").elements()).isEmpty();

        sepServiceFixture.reopen();
        Json history = sepServiceFixture.executeSuccessfully("erin", SepOperation.HISTORY, "number", number);
        assertThat(history.at("events").elements().getLast().at("says").text())
                .isEqualTo(
                        "Bob moved the SEP from accepted to final, with a link to conformance evidence: https://example.org/suite");
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.SHOW, "number", number)
                        .at("status")
                        .text())
                .isEqualTo("final");
    }

    @Test
    void aReasonIsWhateverTheMoveWantsToHear() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.attachConfirmed("carol", number, "decision", "rejected: it exists already", "dave");
        move("carol", number, "rejected", "reason", "it exists already");
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.SHOW, "number", number)
                        .at("evidence")
                        .elements()
                        .getLast()
                        .at("kind")
                        .text())
                .isIn("feedback", "reason");
        int other = sepServiceFixture.submit("alice", "B");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", other);
        sepServiceFixture.attachConfirmed("bob", other, "goals", "https://example.org/goals", "carol");
        move("bob", other, "provisional");
        move("bob", other, "in-review", "reason", "good");
        sepServiceFixture.attachConfirmed("carol", other, "decision", "deferred: after the release", "dave");
        move("carol", other, "deferred", "reason", "after the release", "revisit", "2026-06-01");
        assertThat(next("bob", other).at("says").text()).contains("2026-06-01");
        move("carol", other, "in-review", "reason", "it is urgent now");
        sepServiceFixture.attachConfirmed("carol", other, "decision", "accepted: decided on 12 May", "dave");
        move("carol", other, "accepted", "evidence", evidence("no-prototype", "words only"));
    }

    @Test
    void onlyAnAuthorWithdrawsAndThatIsTheEnd() {
        int number = sepServiceFixture.submit("alice", "A");
        assertThat(sepServiceFixture
                        .executeRefused("erin", SepOperation.WITHDRAW, "number", number, "reason", "no")
                        .code())
                .isEqualTo("not-allowed");
        assertThat(sepServiceFixture
                        .executeSuccessfully(
                                "alice", SepOperation.WITHDRAW, "number", number, "reason", "no longer needed")
                        .at("status")
                        .text())
                .isEqualTo("withdrawn");
        assertThat(sepServiceFixture
                        .executeRefused("alice", SepOperation.MOVE, "number", number, "to", "proposal")
                        .code())
                .isEqualTo("ended");
        sepServiceFixture.executeSuccessfully("erin", SepOperation.COMMENT, "number", number, "text", "a pity");
    }

    @Test
    void aSuccessorMustNameBackWhatItTakesThePlaceOf() {
        int old = sepServiceFixture.submit("alice", "Old");
        int other = sepServiceFixture.submit("alice", "Other");
        assertThat(sepServiceFixture
                        .executeRefused("carol", SepOperation.SUPERSEDE, "number", old, "by", other)
                        .message())
                .contains("Supersedes: " + old);
        int successor = sepServiceFixture.submit("erin", "New", "**Supersedes**: SEP-" + old);
        assertThat(sepServiceFixture
                        .executeRefused("bob", SepOperation.SUPERSEDE, "number", old, "by", successor)
                        .code())
                .isEqualTo("not-allowed");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", successor);
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SUPERSEDE, "number", old, "by", successor);
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.SHOW, "number", old)
                        .at("links")
                        .at("supersededBy")
                        .raw())
                .isEqualTo("[" + successor + "]");
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.SHOW, "number", successor)
                        .at("links")
                        .at("supersedes")
                        .raw())
                .isEqualTo("[" + old + "]");
    }

    @Test
    void aSponsorWhoHasTooMuchToDoIsToldSo() {
        for (String title : new String[] {"A", "B"}) {
            assertThat(sepServiceFixture
                            .executeSuccessfully(
                                    "bob", SepOperation.SPONSOR, "number", sepServiceFixture.submit("alice", title))
                            .at("advice")
                            .elements())
                    .isEmpty();
        }
        assertThat(sepServiceFixture
                        .executeSuccessfully(
                                "bob", SepOperation.SPONSOR, "number", sepServiceFixture.submit("alice", "C"))
                        .at("advice")
                        .texts())
                .containsExactly("Bob now sponsors 3 SEPs; the recommended limit is 2.");
        Json bob = sepServiceFixture
                .executeSuccessfully("erin", SepOperation.MAINTAINERS)
                .at("maintainers")
                .elements()
                .getFirst();
        assertThat(bob.at("load").asLong(0)).isEqualTo(3);
        assertThat(bob.at("over").isTrue()).isTrue();
    }

    @Test
    void whoeverStepsDownLeavesItToTheMaintainers() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.executeSuccessfully("bob", SepOperation.STEP_DOWN, "number", number);
        assertThat(next("alice", number).at("status").text()).isEqualTo("draft");
        assertThat(sepServiceFixture
                        .executeSuccessfully("carol", SepOperation.TRIAGE)
                        .at("count")
                        .asLong(0))
                .isEqualTo(1);
        sepServiceFixture.executeSuccessfully("carol", SepOperation.SPONSOR, "number", number);
        assertThat(sepServiceFixture
                        .executeSuccessfully("carol", SepOperation.TRIAGE)
                        .at("count")
                        .asLong(-1))
                .isZero();
    }

    @Test
    void somebodyWhoIsAskedFindsItInTheirInboxUntilTheyAnswer() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.ASK, "number", number, "whom", "Erin", "question", "does this help you?");
        Json inbox = sepServiceFixture.executeSuccessfully("erin", SepOperation.INBOX);
        assertThat(inbox.at("seps").elements().getFirst().at("nextStep").text()).contains("does this help you?");
        sepServiceFixture.executeSuccessfully("erin", SepOperation.COMMENT, "number", number, "text", "it does");
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.INBOX)
                        .at("count")
                        .asLong(-1))
                .isZero();
        assertThat(((SepResult.InvalidRequest)
                                sepServiceFixture.execute("alice", SepOperation.ASK, "number", number, "whom", "eron"))
                        .message())
                .contains("there is no person 'eron'. Did you mean 'erin'?");
    }

    @Test
    void ownershipIsHandedOnAndTheFirstAuthorStaysUnlessTheySayOtherwise() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.executeSuccessfully("alice", SepOperation.TRANSFER, "number", number, "to", "erin");
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.SHOW, "number", number)
                        .at("authors")
                        .texts())
                .containsExactly("erin", "alice");
        sepServiceFixture.executeSuccessfully(
                "erin", SepOperation.TRANSFER, "number", number, "to", "bob", "leave", true);
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.SHOW, "number", number)
                        .at("authors")
                        .texts())
                .containsExactly("bob", "alice");
    }

    @Test
    void aDecisionOnHoldKeepsItsVotes() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.attachConfirmed("bob", number, "goals", "https://example.org/goals", "carol");
        move("bob", number, "provisional");
        move("bob", number, "in-review", "reason", "good");
        sepServiceFixture.executeSuccessfully("dave", SepOperation.VOTE, "number", number, "ballot", "yes");
        sepServiceFixture.executeSuccessfully(
                "carol", SepOperation.HOLD, "number", number, "reason", "waiting for the lawyers");
        assertThat(sepServiceFixture
                        .executeRefused("carol", SepOperation.MOVE, "number", number, "to", "rejected", "reason", "no")
                        .code())
                .isEqualTo("hold");
        sepServiceFixture.executeSuccessfully("carol", SepOperation.RELEASE, "number", number);
        Json tally = sepServiceFixture
                .executeSuccessfully("erin", SepOperation.SHOW, "number", number)
                .at("tally");
        assertThat(tally.at("yes").asLong(0)).isEqualTo(1);
        assertThat(tally.at("carried").isTrue()).isTrue();
    }

    @Test
    void whatIsDueIsDoneOnceAndADryRunChangesNothing() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.advanceClock(Duration.ofDays(15));
        Json dry = sepServiceFixture.executeSuccessfully("erin", SepOperation.SWEEP, "dryRun", true);
        assertThat(dry.at("due").elements()).hasSize(1);
        assertThat(sepServiceFixture.executeRefused("erin", SepOperation.SWEEP).code())
                .isEqualTo("not-allowed");
        assertThat(sepServiceFixture
                        .executeSuccessfully("dave", SepOperation.SWEEP)
                        .at("done")
                        .asLong(0))
                .isEqualTo(1);
        assertThat(sepServiceFixture
                        .executeSuccessfully("dave", SepOperation.SWEEP)
                        .at("done")
                        .asLong(-1))
                .isZero();
        sepServiceFixture.advanceClock(Duration.ofDays(166));
        assertThat(sepServiceFixture
                        .executeSuccessfully("dave", SepOperation.SWEEP)
                        .at("due")
                        .elements()
                        .getFirst()
                        .at("to")
                        .text())
                .isEqualTo("dormant");
        assertThat(next("alice", number).at("status").text()).isEqualTo("dormant");
    }

    @Test
    void aSweepForAnotherDateIsADryRunWhoeverAsks() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.advanceClock(Duration.ofDays(15));
        for (String asOf : List.of("2026-07-05", "2026-01-19", "2026-07-05T00:00:00Z")) {
            Json result = sepServiceFixture.executeSuccessfully("dave", SepOperation.SWEEP, "asOf", asOf);
            assertThat(result.at("dryRun").isTrue()).as(asOf).isTrue();
            assertThat(result.at("due").elements()).as(asOf).isNotEmpty();
            assertThat(result.at("done").asLong(-1)).as(asOf).isZero();
        }
        assertThat(next("alice", number).at("status").text()).isEqualTo("proposal");
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.SWEEP, "asOf", "2026-07-05")
                        .at("dryRun")
                        .isTrue())
                .isTrue();
        assertThat(sepServiceFixture
                        .executeSuccessfully("alice", SepOperation.HISTORY, "number", number)
                        .at("events")
                        .elements())
                .hasSize(1);
    }
}
