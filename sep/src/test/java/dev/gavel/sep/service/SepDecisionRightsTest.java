package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that decisions are made only by the people entitled to them, on what they saw. */
class SepDecisionRightsTest {
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

    private static Json evidence(String kind, String value) {
        return Json.object().with(kind, Json.ofText(value));
    }

    private int inReview() {
        int number = sepServiceFixture.submit("alice", "Quiet logs");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.attachConfirmed("bob", number, "goals", "https://example.org/goals", "dave");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.MOVE, "number", number, "to", "provisional");
        sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.ATTACH,
                "number",
                number,
                "evidence",
                evidence("prototype", "https://example.org/c"));
        sepServiceFixture.executeSuccessfully(
                "bob", SepOperation.MOVE, "number", number, "to", "in-review", "reason", "reads well");
        return number;
    }

    private SepResult.Refused refusedWithReason(int number) {
        return sepServiceFixture.executeRefused(
                "carol", SepOperation.MOVE, "number", number, "to", "accepted", "reason", "let us go on");
    }

    @Test
    void aReasonDoesNotPassOverAVoteThatWasHeld() {
        int lost = inReview();
        sepServiceFixture.executeSuccessfully("carol", SepOperation.VOTE, "number", lost, "ballot", "no");
        sepServiceFixture.executeSuccessfully("dave", SepOperation.VOTE, "number", lost, "ballot", "no");
        assertThat(refusedWithReason(lost).code()).isEqualTo("missing");
        assertThat(refusedWithReason(lost).message())
                .contains("the vote has not carried (0 yes, 2 no")
                .contains("to record a decision made in another way, give the evidence decision='accepted: …'");
        int concerned = inReview();
        sepServiceFixture.executeSuccessfully(
                "dave", SepOperation.VOTE, "number", concerned, "ballot", "concern", "reason", "it leaks");
        assertThat(refusedWithReason(concerned).message()).contains("open concern of dave");
        sepServiceFixture.attachConfirmed("carol", concerned, "decision", "accepted: at the meeting", "dave");
        assertThat(refusedWithReason(concerned).message()).contains("cannot overrule the open concern of Dave");
    }

    @Test
    void anAuthorWhoRemovesSectionsDuringTheVoteLosesTheVotesAndTheSepIsNotAccepted() {
        int number = inReview();
        for (String voter : List.of("carol", "dave")) {
            sepServiceFixture.executeSuccessfully(voter, SepOperation.VOTE, "number", number, "ballot", "yes");
        }
        String document = SepServiceFixture.document("Quiet logs");
        sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.EDIT,
                "number",
                number,
                "document",
                document.substring(0, document.indexOf("## Specification")));
        assertThat(tally(number)).contains("0 yes");
        for (String voter : List.of("carol", "dave")) {
            sepServiceFixture.executeSuccessfully(voter, SepOperation.VOTE, "number", number, "ballot", "yes");
        }
        assertThat(sepServiceFixture
                        .executeRefused("carol", SepOperation.MOVE, "number", number, "to", "accepted")
                        .message())
                .startsWith("Cannot move to `accepted`: ")
                .contains("Specification");
    }

    @Test
    void aReasonIsNoRecordedDecisionButADecisionThatAnotherPersonConfirmedIs() {
        int number = inReview();
        assertThat(refusedWithReason(number).message()).contains("the recorded decision is missing");
        sepServiceFixture.attachConfirmed("carol", number, "decision", "Approved: decided on 12 May", "dave");
        assertThat(sepServiceFixture
                        .executeSuccessfully("carol", SepOperation.MOVE, "number", number, "to", "Approved")
                        .at("status")
                        .text())
                .isEqualTo("accepted");
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.HISTORY, "number", number)
                        .at("events")
                        .elements()
                        .getLast()
                        .at("says")
                        .text())
                .isEqualTo("Carol moved the SEP from in-review to accepted.");
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.HISTORY, "number", number)
                        .raw())
                .contains("Dave confirmed the recorded decision, given by Carol: accepted: decided on 12 May");
    }

    @Test
    void aSponsorWhoIsNoMaintainerAnyMoreMovesNothingAndCanBeFollowed() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson("bob", "Bob", Set.of(), List.of()));
        assertThat(sepServiceFixture
                        .executeRefused("bob", SepOperation.MOVE, "number", number, "to", "dormant", "reason", "spite")
                        .code())
                .isEqualTo("not-allowed");
        assertThat(sepServiceFixture
                        .executeSuccessfully("carol", SepOperation.SPONSOR, "number", number)
                        .at("sponsor")
                        .text())
                .isEqualTo("carol");
    }

    private String tally(int number) {
        return sepServiceFixture
                .executeSuccessfully("erin", SepOperation.SHOW, "number", number)
                .at("tally")
                .at("says")
                .text();
    }

    private void revoke(String id, String name, String role) {
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson(id, name, Set.of(role), List.of(), false));
    }

    @Test
    void aPersonWithoutAValidTokenIsNeitherCountedNorNamedAndCannotAct() {
        int number = inReview();
        sepServiceFixture.executeSuccessfully("carol", SepOperation.VOTE, "number", number, "ballot", "yes");
        assertThat(tally(number)).contains("1 yes");

        revoke("carol", "Carol", "core-maintainer");
        revoke("bob", "Bob", "maintainer");

        assertThat(tally(number)).contains("0 yes");
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.MAINTAINERS)
                        .raw())
                .contains("dave")
                .doesNotContain("carol", "bob");
        for (SepOperation sepOperation : List.of(SepOperation.VOTE, SepOperation.COMMENT)) {
            SepResult result = sepServiceFixture
                    .service()
                    .execute(
                            new SepCaller("carol", Set.of("core-maintainer")),
                            sepOperation,
                            sepOperation == SepOperation.VOTE
                                    ? SepServiceFixture.arguments("number", number, "ballot", "yes")
                                    : SepServiceFixture.arguments("number", number, "text", "Still here."))
                    .toCompletableFuture()
                    .join();
            assertThat(((SepResult.Refused) result).code()).isEqualTo("access-ended");
        }
        // The history still names them.
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.HISTORY, "number", number)
                        .raw())
                .contains("Carol voted yes", "Bob");
    }

    @Test
    void aRoleThatWasRemovedDuringTheRequestDoesNotCount() {
        int number = inReview();
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson("carol", "Carol", Set.of(), List.of()));
        SepResult result = sepServiceFixture
                .service()
                .execute(
                        new SepCaller("carol", Set.of("core-maintainer")),
                        SepOperation.VOTE,
                        SepServiceFixture.arguments("number", number, "ballot", "yes"))
                .toCompletableFuture()
                .join();
        assertThat(((SepResult.Refused) result).code()).isEqualTo("not-allowed");
    }

    @Test
    void aSponsorOfTheSuccessorWhoIsNoMaintainerAnyMoreSupersedesNothing() {
        int old = sepServiceFixture.submit("alice", "Old");
        int successor = sepServiceFixture.submit("erin", "New", "**Supersedes**: SEP-" + old);
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", successor);
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson("bob", "Bob", Set.of(), List.of()));
        assertThat(sepServiceFixture
                        .executeRefused("bob", SepOperation.SUPERSEDE, "number", old, "by", successor)
                        .code())
                .isEqualTo("not-allowed");
    }

    @Test
    void nothingDeadTakesThePlaceOfAnother() {
        int old = sepServiceFixture.submit("alice", "Old");
        int dead = sepServiceFixture.submit("alice", "Dead", "**Supersedes**: SEP-" + old);
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.WITHDRAW, "number", dead, "reason", "no longer needed");
        assertThat(sepServiceFixture
                        .executeRefused("carol", SepOperation.SUPERSEDE, "number", old, "by", dead)
                        .message())
                .contains("SEP " + dead + " is withdrawn, which is an end state");
    }

    @Test
    void anUndecidedSepDoesNotTakeThePlaceOfAnAcceptedOne() {
        int accepted = inReview();
        sepServiceFixture.executeSuccessfully("carol", SepOperation.VOTE, "number", accepted, "ballot", "yes");
        sepServiceFixture.executeSuccessfully("carol", SepOperation.MOVE, "number", accepted, "to", "accepted");
        int successor = sepServiceFixture.submit("carol", "Loud logs", "**Supersedes**: SEP-" + accepted);
        assertThat(sepServiceFixture
                        .executeRefused("carol", SepOperation.SUPERSEDE, "number", accepted, "by", successor)
                        .message())
                .contains("SEP " + successor + " is proposal; it must be decided on first");

        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", successor);
        sepServiceFixture.attachConfirmed("bob", successor, "goals", "https://example.org/goals", "dave");
        for (String state : new String[] {"provisional", "in-review"}) {
            sepServiceFixture.executeSuccessfully(
                    "bob", SepOperation.MOVE, "number", successor, "to", state, "reason", "reads well");
        }
        sepServiceFixture.executeSuccessfully("dave", SepOperation.VOTE, "number", successor, "ballot", "yes");
        sepServiceFixture.executeSuccessfully(
                "dave",
                SepOperation.MOVE,
                "number",
                successor,
                "to",
                "accepted",
                "evidence",
                evidence("no-prototype", "Only words."));
        sepServiceFixture.executeSuccessfully("carol", SepOperation.SUPERSEDE, "number", accepted, "by", successor);
    }

    @Test
    void noSepTakesItsOwnPlaceDirectlyOrRoundAbout() {
        int one = sepServiceFixture.submit("alice", "One", "**Supersedes**: SEP-1, SEP-3");
        int two = sepServiceFixture.submit("alice", "Two", "**Supersedes**: SEP-1");
        int three = sepServiceFixture.submit("alice", "Three", "**Supersedes**: SEP-2");
        assertThat(one).isEqualTo(1);
        assertThat(three).isEqualTo(3);
        assertThat(sepServiceFixture
                        .executeRefused("carol", SepOperation.SUPERSEDE, "number", one, "by", one)
                        .message())
                .contains("a SEP cannot be its own successor");
        sepServiceFixture.executeSuccessfully(
                "carol", SepOperation.ATTACH, "number", one, "evidence", evidence("successor", "SEP-" + two));
        sepServiceFixture.executeSuccessfully(
                "carol", SepOperation.ATTACH, "number", two, "evidence", evidence("successor", "" + three));
        assertThat(sepServiceFixture
                        .executeRefused("carol", SepOperation.SUPERSEDE, "number", three, "by", one)
                        .message())
                .contains("SEP 1 is itself superseded by SEP 3, directly or through other SEPs");
        sepServiceFixture.executeSuccessfully("carol", SepOperation.SUPERSEDE, "number", one, "by", two);
    }

    @Test
    void whatIsFinalStaysAsItIs() {
        int number = inReview();
        sepServiceFixture.executeSuccessfully("carol", SepOperation.VOTE, "number", number, "ballot", "yes");
        sepServiceFixture.executeSuccessfully("carol", SepOperation.MOVE, "number", number, "to", "accepted");
        assertThat(sepServiceFixture
                        .executeRefused(
                                "alice",
                                SepOperation.EDIT,
                                "number",
                                number,
                                "document",
                                SepServiceFixture.document("Quiet logs", "**Type**: Process"))
                        .message())
                .contains("Cannot change 'type'");
        sepServiceFixture.executeSuccessfully(
                "bob",
                SepOperation.MOVE,
                "number",
                number,
                "to",
                "final",
                "evidence",
                evidence("reference-implementation", "https://example.org/merged")
                        .with("merged", Json.ofText("all pull requests are merged"))
                        .with("exemption", Json.ofText("words only")));
        assertThat(sepServiceFixture
                        .executeRefused(
                                "alice",
                                SepOperation.EDIT,
                                "number",
                                number,
                                "document",
                                SepServiceFixture.document("Loud logs"))
                        .message())
                .contains("It can only move to `superseded`.");
    }
}
