package dev.gavel.sep.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proposal's way from submission to its end, by those whose turn it is. */
class WalkTest {
    @TempDir
    private Path directory;

    private Office office;

    @BeforeEach
    void open() {
        office = new Office(directory);
    }

    @AfterEach
    void close() {
        office.close();
    }

    private Json next(String who, int number) {
        return office.done(who, Verb.NEXT, "number", number);
    }

    private void move(String who, int number, String to, Object... more) {
        Object[] pairs = new Object[more.length + 4];
        System.arraycopy(new Object[] {"number", number, "to", to}, 0, pairs, 0, 4);
        System.arraycopy(more, 0, pairs, 4, more.length);
        assertThat(office.done(who, Verb.MOVE, pairs).at("status").text()).isEqualTo(to);
    }

    private static Json evidence(String kind, String value) {
        return Json.object().with(kind, Json.ofText(value));
    }

    @Test
    void theSixStepsFromProposalToFinal() {
        int number = office.submitted("alice", "Quiet logs", "**Author(s)**: Alice (@alice-writes), @frank");
        Json proposal = next("bob", number);
        assertThat(proposal.at("status").text()).isEqualTo("proposal");
        assertThat(proposal.at("nextStep").text()).contains("sponsor");
        assertThat(proposal.at("mustAct").elements().getFirst().at("who").text())
                .isEqualTo("maintainer");

        office.done("bob", Verb.SPONSOR, "number", number);
        Json draft = office.done("erin", Verb.SHOW, "number", number);
        assertThat(draft.at("status").text()).isEqualTo("draft");
        assertThat(draft.at("sponsor").text()).isEqualTo("bob");
        assertThat(draft.at("authors").texts()).containsExactly("alice", "@frank");
        assertThat(draft.at("type").text()).isEqualTo("Standards Track");

        assertThat(office.refused("alice", Verb.MOVE, "number", number, "to", "provisional")
                        .message())
                .contains("bob")
                .contains("link");
        move("bob", number, "provisional", "evidence", evidence("minutes", "https://example.org/minutes"));
        office.later(Duration.ofDays(3));
        move("bob", number, "prototyping", "evidence", evidence("prototype", "https://example.org/code"));
        office.done("alice", Verb.ATTACH, "number", number, "evidence", evidence("ready", "all sections are there"));
        assertThat(next("bob", number).at("nextStep").text()).contains("in-review");
        move("bob", number, "in-review", "reason", "reads well");
        office.done("carol", Verb.VOTE, "number", number, "ballot", "concern", "reason", "what about old clients?");
        office.done("dave", Verb.VOTE, "number", number, "ballot", "yes");
        assertThat(office.refused("dave", Verb.MOVE, "number", number, "to", "accepted")
                        .code())
                .isEqualTo("missing");
        office.done("carol", Verb.VOTE, "number", number, "ballot", "yes");
        move("carol", number, "accepted");
        office.done(
                "alice",
                Verb.ATTACH,
                "number",
                number,
                "evidence",
                evidence("reference-implementation", "https://example.org/merged"));
        move("bob", number, "final", "evidence", evidence("conformance", "https://example.org/suite"));
        assertThat(next("alice", number).at("mustAct").elements()).isEmpty();

        office.reopen();
        Json history = office.done("erin", Verb.HISTORY, "number", number);
        assertThat(history.at("events").elements().getLast().at("says").text())
                .isEqualTo("bob moved it from accepted to final, with conformance 'https://example.org/suite'.");
        assertThat(office.done("erin", Verb.SHOW, "number", number).at("status").text())
                .isEqualTo("final");
    }

    @Test
    void aReasonIsWhateverTheMoveWantsToHear() {
        int number = office.submitted("alice", "A");
        move("carol", number, "rejected", "reason", "it exists already");
        assertThat(office.done("erin", Verb.SHOW, "number", number)
                        .at("evidence")
                        .elements()
                        .getFirst()
                        .at("kind")
                        .text())
                .isIn("feedback", "reason");
        int other = office.submitted("alice", "B");
        office.done("bob", Verb.SPONSOR, "number", other);
        move("bob", other, "provisional", "evidence", evidence("goals", "https://example.org/goals"));
        move("bob", other, "in-review", "reason", "good");
        move("carol", other, "deferred", "reason", "after the release", "revisit", "2026-06-01");
        assertThat(next("bob", other).at("says").text()).contains("2026-06-01");
        move("carol", other, "in-review", "reason", "it is urgent now");
        move(
                "carol",
                other,
                "accepted",
                "reason",
                "decided on 12 May",
                "evidence",
                evidence("no-prototype", "words only"));
    }

    @Test
    void onlyAnAuthorWithdrawsAndThatIsTheEnd() {
        int number = office.submitted("alice", "A");
        assertThat(office.refused("erin", Verb.WITHDRAW, "number", number, "reason", "no")
                        .code())
                .isEqualTo("not-allowed");
        assertThat(office.done("alice", Verb.WITHDRAW, "number", number, "reason", "no longer needed")
                        .at("status")
                        .text())
                .isEqualTo("withdrawn");
        assertThat(office.refused("alice", Verb.MOVE, "number", number, "to", "proposal")
                        .code())
                .isEqualTo("ended");
        office.done("erin", Verb.COMMENT, "number", number, "text", "a pity");
    }

    @Test
    void aSuccessorMustNameBackWhatItTakesThePlaceOf() {
        int old = office.submitted("alice", "Old");
        int other = office.submitted("alice", "Other");
        assertThat(office.refused("carol", Verb.SUPERSEDE, "number", old, "by", other)
                        .message())
                .contains("Supersedes: " + old);
        int successor = office.submitted("erin", "New", "**Supersedes**: SEP-" + old);
        assertThat(office.refused("bob", Verb.SUPERSEDE, "number", old, "by", successor)
                        .code())
                .isEqualTo("not-allowed");
        office.done("bob", Verb.SPONSOR, "number", successor);
        office.done("bob", Verb.SUPERSEDE, "number", old, "by", successor);
        assertThat(office.done("erin", Verb.SHOW, "number", old)
                        .at("links")
                        .at("supersededBy")
                        .raw())
                .isEqualTo("[" + successor + "]");
        assertThat(office.done("erin", Verb.SHOW, "number", successor)
                        .at("links")
                        .at("supersedes")
                        .raw())
                .isEqualTo("[" + old + "]");
    }

    @Test
    void aSponsorWhoHasTooMuchToDoIsToldSo() {
        for (String title : new String[] {"A", "B"}) {
            assertThat(office.done("bob", Verb.SPONSOR, "number", office.submitted("alice", title))
                            .at("advice")
                            .elements())
                    .isEmpty();
        }
        assertThat(office.done("bob", Verb.SPONSOR, "number", office.submitted("alice", "C"))
                        .at("advice")
                        .texts())
                .containsExactly("bob looks after 3 proposals now, and the limit is 2.");
        Json bob = office.done("erin", Verb.MAINTAINERS)
                .at("maintainers")
                .elements()
                .getFirst();
        assertThat(bob.at("load").number(0)).isEqualTo(3);
        assertThat(bob.at("over").isTrue()).isTrue();
    }

    @Test
    void whoeverStepsDownLeavesItToTheMaintainers() {
        int number = office.submitted("alice", "A");
        office.done("bob", Verb.SPONSOR, "number", number);
        office.done("bob", Verb.STEP_DOWN, "number", number);
        assertThat(next("alice", number).at("status").text()).isEqualTo("draft");
        assertThat(office.done("carol", Verb.TRIAGE).at("count").number(0)).isEqualTo(1);
        office.done("carol", Verb.SPONSOR, "number", number);
        assertThat(office.done("carol", Verb.TRIAGE).at("count").number(-1)).isZero();
    }

    @Test
    void somebodyWhoIsAskedFindsItInTheirInboxUntilTheyAnswer() {
        int number = office.submitted("alice", "A");
        office.done("alice", Verb.ASK, "number", number, "whom", "Erin", "question", "does this help you?");
        Json inbox = office.done("erin", Verb.INBOX);
        assertThat(inbox.at("seps").elements().getFirst().at("nextStep").text()).contains("does this help you?");
        office.done("erin", Verb.COMMENT, "number", number, "text", "it does");
        assertThat(office.done("erin", Verb.INBOX).at("count").number(-1)).isZero();
        assertThat(((Reply.Wrong) office.ask("alice", Verb.ASK, "number", number, "whom", "eron")).message())
                .contains("did you mean 'erin'?");
    }

    @Test
    void ownershipIsHandedOnAndTheFirstAuthorStaysUnlessTheySayOtherwise() {
        int number = office.submitted("alice", "A");
        office.done("alice", Verb.TRANSFER, "number", number, "to", "erin");
        assertThat(office.done("bob", Verb.SHOW, "number", number).at("authors").texts())
                .containsExactly("erin", "alice");
        office.done("erin", Verb.TRANSFER, "number", number, "to", "bob", "leave", true);
        assertThat(office.done("bob", Verb.SHOW, "number", number).at("authors").texts())
                .containsExactly("bob", "alice");
    }

    @Test
    void aDecisionOnHoldKeepsItsVotes() {
        int number = office.submitted("alice", "A");
        office.done("bob", Verb.SPONSOR, "number", number);
        move("bob", number, "provisional", "evidence", evidence("goals", "https://example.org/goals"));
        move("bob", number, "in-review", "reason", "good");
        office.done("dave", Verb.VOTE, "number", number, "ballot", "yes");
        office.done("carol", Verb.HOLD, "number", number, "reason", "waiting for the lawyers");
        assertThat(office.refused("carol", Verb.MOVE, "number", number, "to", "rejected", "reason", "no")
                        .code())
                .isEqualTo("hold");
        office.done("carol", Verb.RELEASE, "number", number);
        Json tally = office.done("erin", Verb.SHOW, "number", number).at("tally");
        assertThat(tally.at("yes").number(0)).isEqualTo(1);
        assertThat(tally.at("carried").isTrue()).isTrue();
    }

    @Test
    void whatIsDueIsDoneOnceAndADryRunChangesNothing() {
        int number = office.submitted("alice", "A");
        office.later(Duration.ofDays(15));
        Json dry = office.done("erin", Verb.SWEEP, "dryRun", true);
        assertThat(dry.at("due").elements()).hasSize(1);
        assertThat(office.refused("erin", Verb.SWEEP).code()).isEqualTo("not-allowed");
        assertThat(office.done("dave", Verb.SWEEP).at("done").number(0)).isEqualTo(1);
        assertThat(office.done("dave", Verb.SWEEP).at("done").number(-1)).isZero();
        assertThat(office.done("dave", Verb.SWEEP, "asOf", "2026-06-20")
                        .at("done")
                        .number(0))
                .isPositive();
        assertThat(office.done("dave", Verb.SWEEP, "asOf", "2026-07-05")
                        .at("due")
                        .elements()
                        .getFirst()
                        .at("to")
                        .text())
                .isEqualTo("dormant");
        assertThat(next("alice", number).at("status").text()).isEqualTo("dormant");
    }
}
