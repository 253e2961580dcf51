package dev.gavel.sep.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions are those of the people whose they are, on what they saw. */
class DecisionsTest {
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

    private static Json evidence(String kind, String value) {
        return Json.object().with(kind, Json.ofText(value));
    }

    private int inReview() {
        int number = office.submitted("alice", "Quiet logs");
        office.done("bob", Verb.SPONSOR, "number", number);
        office.done(
                "bob",
                Verb.MOVE,
                "number",
                number,
                "to",
                "provisional",
                "evidence",
                evidence("goals", "https://example.org/goals"));
        office.done("alice", Verb.ATTACH, "number", number, "evidence", evidence("prototype", "https://example.org/c"));
        office.done("bob", Verb.MOVE, "number", number, "to", "in-review", "reason", "reads well");
        return number;
    }

    private Reply.Refused refusedWithReason(int number) {
        return office.refused("carol", Verb.MOVE, "number", number, "to", "accepted", "reason", "let us go on");
    }

    @Test
    void aReasonDoesNotPassOverAVoteThatWasHeld() {
        int lost = inReview();
        office.done("carol", Verb.VOTE, "number", lost, "ballot", "no");
        office.done("dave", Verb.VOTE, "number", lost, "ballot", "no");
        assertThat(refusedWithReason(lost).code()).isEqualTo("missing");
        assertThat(refusedWithReason(lost).message())
                .contains("the vote has not carried (0 yes, 2 no")
                .contains("a decision taken otherwise is given as evidence decision=… or minutes=…");
        int concerned = inReview();
        office.done("dave", Verb.VOTE, "number", concerned, "ballot", "concern", "reason", "it leaks");
        assertThat(refusedWithReason(concerned).message()).contains("open concern of dave");
        office.done(
                "carol",
                Verb.MOVE,
                "number",
                concerned,
                "to",
                "accepted",
                "evidence",
                evidence("decision", "decided at the meeting"));
    }

    @Test
    void whereNobodyVotedAReasonIsTheRecordedDecision() {
        int number = inReview();
        assertThat(office.done("carol", Verb.MOVE, "number", number, "to", "Approved", "reason", "decided on 12 May")
                        .at("status")
                        .text())
                .isEqualTo("accepted");
        assertThat(office.done("erin", Verb.HISTORY, "number", number)
                        .at("events")
                        .elements()
                        .getLast()
                        .at("says")
                        .text())
                .contains("with decision 'decided on 12 May'");
    }

    @Test
    void aSponsorWhoIsNoMaintainerAnyMoreMovesNothingAndCanBeFollowed() {
        int number = office.submitted("alice", "A");
        office.done("bob", Verb.SPONSOR, "number", number);
        office.hire(new People.Known("bob", "Bob", Set.of(), List.of()));
        assertThat(office.refused("bob", Verb.MOVE, "number", number, "to", "dormant", "reason", "spite")
                        .code())
                .isEqualTo("not-allowed");
        assertThat(office.done("carol", Verb.SPONSOR, "number", number)
                        .at("sponsor")
                        .text())
                .isEqualTo("carol");
    }

    @Test
    void aSponsorOfTheSuccessorWhoIsNoMaintainerAnyMoreSupersedesNothing() {
        int old = office.submitted("alice", "Old");
        int successor = office.submitted("erin", "New", "**Supersedes**: SEP-" + old);
        office.done("bob", Verb.SPONSOR, "number", successor);
        office.hire(new People.Known("bob", "Bob", Set.of(), List.of()));
        assertThat(office.refused("bob", Verb.SUPERSEDE, "number", old, "by", successor)
                        .code())
                .isEqualTo("not-allowed");
    }

    @Test
    void nothingDeadTakesThePlaceOfAnother() {
        int old = office.submitted("alice", "Old");
        int dead = office.submitted("alice", "Dead", "**Supersedes**: SEP-" + old);
        office.done("alice", Verb.WITHDRAW, "number", dead, "reason", "no longer needed");
        assertThat(office.refused("carol", Verb.SUPERSEDE, "number", old, "by", dead)
                        .message())
                .contains("SEP " + dead + " is withdrawn, and that is the end");
    }

    @Test
    void noSepTakesItsOwnPlaceDirectlyOrRoundAbout() {
        int one = office.submitted("alice", "One", "**Supersedes**: SEP-1, SEP-3");
        int two = office.submitted("alice", "Two", "**Supersedes**: SEP-1");
        int three = office.submitted("alice", "Three", "**Supersedes**: SEP-2");
        assertThat(one).isEqualTo(1);
        assertThat(three).isEqualTo(3);
        assertThat(office.refused("carol", Verb.SUPERSEDE, "number", one, "by", one)
                        .message())
                .contains("nothing takes its own place");
        office.done("carol", Verb.ATTACH, "number", one, "evidence", evidence("successor", "SEP-" + two));
        office.done("carol", Verb.ATTACH, "number", two, "evidence", evidence("successor", "" + three));
        assertThat(office.refused("carol", Verb.SUPERSEDE, "number", three, "by", one)
                        .message())
                .contains("a circle leads nowhere");
        office.done("carol", Verb.SUPERSEDE, "number", one, "by", two);
    }

    @Test
    void whatIsFinalStaysAsItIs() {
        int number = inReview();
        office.done("carol", Verb.MOVE, "number", number, "to", "accepted", "reason", "decided");
        assertThat(office.refused(
                                "alice",
                                Verb.EDIT,
                                "number",
                                number,
                                "document",
                                Office.document("Quiet logs", "**Type**: Process"))
                        .message())
                .contains("'type' cannot be changed");
        office.done(
                "bob",
                Verb.MOVE,
                "number",
                number,
                "to",
                "final",
                "evidence",
                evidence("reference-implementation", "https://example.org/merged")
                        .with("exemption", Json.ofText("words only")));
        assertThat(office.refused("alice", Verb.EDIT, "number", number, "document", Office.document("Loud logs"))
                        .message())
                .contains("it may only be superseded");
    }
}
