package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.Sha256;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.text.SepResultFormatter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that votes and moves are bound to the document that people have read. */
class SepDocumentVersionTest {
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

    private int inReview() {
        int number = sepServiceFixture.submit("alice", "Quiet logs");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        attach("bob", number, "goals", "https://example.org/goals");
        confirm("carol", number, "goals");
        move("bob", number, "provisional");
        move("bob", number, "in-review", "reason", "It is complete.");
        return number;
    }

    private Json move(String who, int number, String to, Object... more) {
        Object[] pairs = new Object[more.length + 4];
        System.arraycopy(new Object[] {"number", number, "to", to}, 0, pairs, 0, 4);
        System.arraycopy(more, 0, pairs, 4, more.length);
        return sepServiceFixture.executeSuccessfully(who, SepOperation.MOVE, pairs);
    }

    private void attach(String who, int number, String kind, String value) {
        sepServiceFixture.executeSuccessfully(
                who, SepOperation.ATTACH, "number", number, "evidence", evidence(kind, value));
    }

    private Json confirm(String who, int number, String kind) {
        return sepServiceFixture.executeSuccessfully(who, SepOperation.CONFIRM, "number", number, "kind", kind);
    }

    private Json vote(String who, int number, String ballot) {
        return sepServiceFixture.executeSuccessfully(who, SepOperation.VOTE, "number", number, "ballot", ballot);
    }

    private static Json evidence(String kind, String value) {
        return Json.object().with(kind, Json.ofText(value));
    }

    private Json query(SepOperation sepOperation, int number) {
        return sepServiceFixture.executeSuccessfully("erin", sepOperation, "number", number);
    }

    private void edit(String who, int number, String from, String to) {
        String text = storedText(number);
        assertThat(text).contains(from);
        sepServiceFixture.executeSuccessfully(
                who, SepOperation.EDIT, "number", number, "document", text.replace(from, to));
    }

    private String storedText(int number) {
        String hash = query(SepOperation.SHOW, number).at("hash").text();
        return Json.parse(sepServiceFixture
                        .ledger()
                        .history(SepStreamNames.DOCUMENTS, hash)
                        .getFirst()
                        .body()
                        .toString())
                .orElseThrow()
                .at("text")
                .text();
    }

    private static String text(SepOperation sepOperation, Json result) {
        return String.join("\n", SepResultFormatter.format(sepOperation, result));
    }

    @Test
    void aVoteOnADocumentThatHasChangedIsRefusedAndTheRefusalNamesTheChanges() {
        int number = inReview();
        String read = query(SepOperation.SHOW, number).at("hash").text();
        assertThat(read).hasSize(64);
        edit("alice", number, "## Specification\n\nWhat", "## Specification\n\nEverything else that");

        SepResult.Refused refused = sepServiceFixture.executeRefused(
                "carol", SepOperation.VOTE, "number", number, "ballot", "yes", "document", read);
        assertThat(refused.code()).isEqualTo("changed-since");
        assertThat(refused.message())
                .startsWith("Alice has changed the document in the meantime. Changed: section specification.");
        assertThat(refused.details().at("changedSections").texts()).containsExactly("specification");
        String current = refused.details().at("hash").text();
        assertThat(sepServiceFixture
                        .executeRefused(
                                "carol", SepOperation.MOVE, "number", number, "to", "provisional", "document", read)
                        .code())
                .isEqualTo("changed-since");
        sepServiceFixture.executeSuccessfully(
                "carol", SepOperation.VOTE, "number", number, "ballot", "yes", "document", current.substring(0, 12));
    }

    @Test
    void aHashThatTheSepNeverHadIsRefused() {
        int number = inReview();
        for (String hash : List.of("", "3f2a", "0".repeat(64))) {
            assertThat(sepServiceFixture
                            .executeRefused(
                                    "carol", SepOperation.VOTE, "number", number, "ballot", "yes", "document", hash)
                            .message())
                    .startsWith("SEP-" + number + " never had the document " + hash);
        }
    }

    @Test
    void theLedgerRecordsTheDocumentOfEachVoteAndMove() {
        int number = inReview();
        sepServiceFixture.executeSuccessfully("carol", SepOperation.VOTE, "number", number, "ballot", "yes");
        String stored = Sha256.hex(storedText(number));
        List<LedgerEvent> events = sepServiceFixture.ledger().history(SepStreamNames.SEPS, Integer.toString(number));
        assertThat(events)
                .filteredOn(event -> List.of("voted", "moved").contains(event.type()))
                .hasSizeGreaterThan(2)
                .allSatisfy(
                        event -> assertThat(event.body().toString()).contains("\"documentHash\":\"" + stored + "\""));
        Json last = query(SepOperation.HISTORY, number).at("events").elements().getLast();
        assertThat(last.at("hash").text()).isEqualTo(stored);
        assertThat(text(SepOperation.HISTORY, query(SepOperation.HISTORY, number)))
                .contains(stored.substring(0, 12) + "  Carol voted yes.");
        assertThat(query(SepOperation.SHOW, number)
                        .at("tally")
                        .at("votes")
                        .elements()
                        .getFirst()
                        .at("hash")
                        .text())
                .isEqualTo(stored);
        assertThat(text(SepOperation.NEXT, query(SepOperation.NEXT, number)))
                .contains("document:     " + stored.substring(0, 12));
    }

    @Test
    void theDifferenceToTheDocumentOfTheVoteIsShownPartByPart() {
        int number = inReview();
        sepServiceFixture.executeSuccessfully("carol", SepOperation.VOTE, "number", number, "ballot", "yes");
        String voted = query(SepOperation.SHOW, number).at("hash").text();
        edit("alice", number, "## Rationale\n\nWhat", "## Rationale\n\nNothing that");

        Json next = query(SepOperation.NEXT, number);
        assertThat(next.at("changedSinceVote").at("hash").text()).isEqualTo(voted);
        assertThat(next.at("changedSinceVote").at("changedSections").texts()).containsExactly("rationale");
        assertThat(text(SepOperation.NEXT, next))
                .contains("changed:      section rationale, since the last vote on document " + voted.substring(0, 12)
                        + " ('gavel sep diff " + number + "')");
        Json diff = query(SepOperation.DIFF, number);
        assertThat(diff.at("from").text()).isEqualTo(voted);
        assertThat(text(SepOperation.DIFF, diff))
                .contains(
                        "section rationale:",
                        "  - What there is to say of Quiet logs.",
                        "  + Nothing that there is to say of Quiet logs.");
        assertThat(sepServiceFixture.execute("erin", SepOperation.DIFF, "number", number, "from", "3f2a"))
                .isInstanceOf(SepResult.InvalidRequest.class);
    }

    @Test
    void afterARejectionEveryoneIsShownTheWholeRationale() {
        int number = sepServiceFixture.submit("alice", "Quiet logs");
        attach("carol", number, "decision", "rejected: A duplicate.");
        confirm("dave", number, "decision");
        move("carol", number, "rejected", "reason", "It exists already.\nSee the option --quiet.");
        for (String reader : List.of("alice", "erin")) {
            Json next = sepServiceFixture.executeSuccessfully(reader, SepOperation.NEXT, "number", number);
            assertThat(next.at("lastMove").at("by").text()).isEqualTo("carol");
            assertThat(text(SepOperation.NEXT, next))
                    .contains(
                            "last move:    from proposal to rejected by Carol",
                            ": It exists already.\n    See the option --quiet.",
                            ": rejected: A duplicate.");
        }
    }

    @Test
    void afterADeferralTheReasonTheDateAndTheTriggerAreShown() {
        int number = inReview();
        attach("carol", number, "decision", "deferred: Not yet.");
        confirm("dave", number, "decision");
        move(
                "carol",
                number,
                "deferred",
                "reason",
                "The release comes first.",
                "revisit",
                "2026-06-01",
                "trigger",
                "2.0 is out");
        assertThat(text(SepOperation.NEXT, query(SepOperation.NEXT, number)))
                .contains("The release comes first.", "2026-06-01", "2.0 is out");
    }

    private Json edit(String who, int number, boolean editorial, String from, String to) {
        String text = storedText(number);
        assertThat(text).contains(from);
        return sepServiceFixture.executeSuccessfully(
                who, SepOperation.EDIT, "number", number, "document", text.replace(from, to), "editorial", editorial);
    }

    @Test
    void aSubstantiveEditVoidsTheVotesAndTellsWhoseTheyWere() {
        int number = inReview();
        vote("carol", number, "yes");
        vote("dave", number, "yes");
        Json edited = edit("alice", number, false, "## Specification\n\nWhat", "## Specification\n\nAll that");
        assertThat(edited.at("advice").texts())
                .contains(
                        "The edit voided 2 votes: Carol, Dave. These people have to read the changes and vote again.");
        assertThat(sepServiceFixture
                        .executeRefused(
                                "carol",
                                SepOperation.MOVE,
                                "number",
                                number,
                                "to",
                                "accepted",
                                "evidence",
                                evidence("no-prototype", "Only words."))
                        .code())
                .isEqualTo("missing");
        Json next = query(SepOperation.NEXT, number);
        assertThat(next.at("voidedVotes").at("voters").texts()).containsExactly("carol", "dave");
        assertThat(text(SepOperation.NEXT, next)).contains("voided votes: of Carol, Dave, by the edit of Alice");
        vote("carol", number, "yes");
        assertThat(query(SepOperation.NEXT, number)
                        .at("voidedVotes")
                        .at("voters")
                        .texts())
                .containsExactly("dave");
    }

    @Test
    void anEditOfEditorialPartsKeepsTheVotesAndTheLedgerProvesWhatWasAccepted() {
        int number = inReview();
        vote("carol", number, "yes");
        String voted = query(SepOperation.SHOW, number).at("hash").text();
        assertThat(edit(
                                "alice",
                                number,
                                false,
                                "## Reference Implementation\n\nWhat",
                                "## Reference Implementation\n\nThe code that")
                        .at("advice")
                        .texts())
                .noneMatch(advice -> advice.contains("voided"));
        move("carol", number, "accepted", "evidence", evidence("no-prototype", "Only words."));
        String accepted = query(SepOperation.SHOW, number).at("hash").text();
        assertThat(accepted).isNotEqualTo(voted);
        Json decision = query(SepOperation.SHOW, number).at("decision");
        assertThat(decision.at("state").text()).isEqualTo("accepted");
        assertThat(decision.at("hash").text()).isEqualTo(accepted);
        assertThat(decision.at("currentDocument").text()).isEqualTo("same");

        edit("carol", number, true, "## Rationale\n\nWhat", "## Rationale\n\nAll that");
        Json show = query(SepOperation.SHOW, number);
        assertThat(show.at("decision").at("currentDocument").text()).isEqualTo("editorial");
        assertThat(text(SepOperation.SHOW, show))
                .contains("decision:     accepted by Carol on 2026-01-05 with document " + accepted.substring(0, 12)
                        + "; the current document differs only editorially (section rationale)");
        sepServiceFixture.reopen();
        assertThat(query(SepOperation.SHOW, number).at("decision")).isEqualTo(show.at("decision"));
    }

    @Test
    void anEditIsNotEditorialIfReadersSeeItInAnotherSectionThanGavel() {
        int number = inReview();
        // In Markdown, the heading "Wire Format" follows a paragraph. Gavel takes it for code of the section above.
        edit(
                "alice",
                number,
                false,
                "## Reference Implementation\n\n",
                "## Reference Implementation\n\ntext\n    ```\n## Wire Format\n\nNumbers are decimal.\n    ```\n\n");
        vote("carol", number, "yes");
        vote("dave", number, "yes");
        Json edited = edit("alice", number, false, "Numbers are decimal.", "Numbers are octal.");
        assertThat(edited.at("advice").texts())
                .contains(
                        "The edit voided 2 votes: Carol, Dave. These people have to read the changes and vote again.");
    }

    @Test
    void anAuthorCannotDeclareAnEditEditorial() {
        int number = inReview();
        String text = storedText(number).replace("## Rationale\n\nWhat", "## Rationale\n\nAll that");
        assertThat(sepServiceFixture
                        .executeRefused(
                                "alice", SepOperation.EDIT, "number", number, "document", text, "editorial", true)
                        .code())
                .isEqualTo("not-allowed");
        assertThat(sepServiceFixture
                        .executeSuccessfully("alice", SepOperation.EXPLAIN, "number", number)
                        .at("youMayDeclareEditorial")
                        .isTrue())
                .isFalse();
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.EXPLAIN, "number", number)
                        .at("youMayDeclareEditorial")
                        .isTrue())
                .isTrue();
    }

    @Test
    void aDecisionWaitsForTheConfirmationOfASecondPersonWhoHasReadTheSame() {
        int number = inReview();
        attach("carol", number, "decision", "rejected: No server needs it.");
        Json next = query(SepOperation.NEXT, number);
        assertThat(next.at("confirmations").elements().getFirst().at("by").text())
                .isEqualTo("carol");
        assertThat(text(SepOperation.NEXT, next))
                .contains("to confirm:   decision of Carol ('gavel sep confirm " + number
                        + " decision'): rejected: No server needs it.");
        assertThat(sepServiceFixture
                        .executeSuccessfully("carol", SepOperation.EXPLAIN, "number", number)
                        .at("youMayAlso")
                        .texts())
                .doesNotContain("confirm");
        Json explain = sepServiceFixture.executeSuccessfully("dave", SepOperation.EXPLAIN, "number", number);
        assertThat(explain.at("youMayAlso").texts()).contains("confirm");
        assertThat(explain.at("youMayConfirm").elements().getFirst().at("value").text())
                .isEqualTo("rejected: No server needs it.");

        assertThat(sepServiceFixture
                        .executeRefused("carol", SepOperation.CONFIRM, "number", number, "kind", "decision")
                        .code())
                .isEqualTo("not-allowed");
        assertThat(sepServiceFixture
                        .executeRefused(
                                "dave",
                                SepOperation.CONFIRM,
                                "number",
                                number,
                                "kind",
                                "decision",
                                "value",
                                "accepted: All need it.")
                        .code())
                .isEqualTo("bad-evidence");
        confirm("dave", number, "decision");
        Json last = query(SepOperation.HISTORY, number).at("events").elements().getLast();
        assertThat(last.at("type").text()).isEqualTo("confirmed");
        assertThat(last.at("hash").text())
                .isEqualTo(query(SepOperation.SHOW, number).at("hash").text());
    }

    @Test
    void aRecusedVoterIsShownAndDoesNotCountForTheQuorum() {
        int number = inReview();
        vote("carol", number, "recuse");
        Json tally = query(SepOperation.SHOW, number).at("tally");
        assertThat(tally.at("recused").texts()).containsExactly("carol");
        assertThat(tally.at("needed").asLong(0)).isEqualTo(1);
        assertThat(tally.at("says").text()).contains("recused: carol");
    }
}
