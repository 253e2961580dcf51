package dev.gavel.sep.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.kept.Streams;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents brought to the desk. */
class FilingTest {
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

    private Json imported(String document, String file) {
        return office.done("dave", Verb.IMPORT, "document", document, "file", file);
    }

    private String exported(int number) {
        return office.done("erin", Verb.EXPORT, "number", number).at("document").text();
    }

    @Test
    void aProposalWithoutMotivationIsRefusedAndToldWhatIsMissing() {
        Reply.Refused refused =
                office.refused("alice", Verb.SUBMIT, "document", "# Something\n\n## Abstract\n\nWords.\n");
        assertThat(refused.code()).isEqualTo("missing");
        assertThat(refused.message()).contains("Motivation").doesNotContain("Abstract");
    }

    @Test
    void aProposalThatWasNotDiscussedIsToldSoAndTaken() {
        Json bare = office.done("alice", Verb.SUBMIT, "document", Office.document("A"));
        assertThat(bare.at("advice").raw()).contains("discussion");
        Json discussed = office.done(
                "alice",
                Verb.SUBMIT,
                "document",
                Office.document("B", "**Discussion**: https://example.org/discussions/7"));
        assertThat(discussed.at("advice").elements()).isEmpty();
    }

    @Test
    void numbersAreGivenInOrderAndOneThatADocumentSaysIsKeptWhereItIsFree() {
        assertThat(office.submitted("alice", "A")).isEqualTo(1);
        String numbered = Office.document("B").replace("SEP-XXXX", "SEP-41");
        assertThat(office.done("alice", Verb.SUBMIT, "document", numbered)
                        .at("number")
                        .number(0))
                .isEqualTo(41);
        Json again = office.done("alice", Verb.SUBMIT, "document", numbered + "\nMore.\n");
        assertThat(again.at("number").number(0)).isEqualTo(42);
        assertThat(again.at("advice").texts())
                .contains("The document says SEP-41, which is taken; it is SEP-42 here. Say so in its title.");
    }

    @Test
    void manyWhoSubmitAtOnceEachGetTheirOwnNumber() {
        List<CompletionStage<Reply>> all = IntStream.range(0, 40)
                .mapToObj(i -> office.desk()
                        .ask(
                                new Caller("alice", Set.of()),
                                Verb.SUBMIT,
                                Office.arguments("document", Office.document("Title " + i))))
                .toList();
        assertThat(all.stream()
                        .map(each -> ((Reply.Done) each.toCompletableFuture().join())
                                .body()
                                .at("number")
                                .number(0)))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 40).mapToObj(Long::valueOf).toList());
    }

    @Test
    void aDocumentLikeAnotherIsShownTheOther() {
        String text = Office.document("Streaming of results")
                .replace(
                        "What there is to say of",
                        "Servers stream partial results to clients while a long tool call runs, in");
        int first = (int)
                office.done("alice", Verb.SUBMIT, "document", text).at("number").number(0);
        Json second = office.done("erin", Verb.SUBMIT, "document", text.replace("Streaming of", "Streaming partial"));
        assertThat(second.at("similar").elements().getFirst().at("number").number(0))
                .isEqualTo(first);
        assertThat(office.done("erin", Verb.SIMILAR, "number", first)
                        .at("similar")
                        .elements()
                        .getFirst()
                        .at("number")
                        .number(0))
                .isEqualTo(second.at("number").number(0));
    }

    @Test
    void anAuthorChangesTheDocumentAndNobodyElse() {
        int number = office.submitted("alice", "A");
        String changed = Office.document("A, but better", "**Type**: Process", "**Authors**: @erin");
        assertThat(office.refused("erin", Verb.EDIT, "number", number, "document", changed)
                        .code())
                .isEqualTo("not-allowed");
        office.done("alice", Verb.EDIT, "number", number, "document", changed);
        Json shown = office.done("bob", Verb.SHOW, "number", number);
        assertThat(shown.at("title").text()).isEqualTo("A, but better");
        assertThat(shown.at("type").text()).isEqualTo("Process");
        assertThat(shown.at("authors").texts()).containsExactly("alice", "erin");
        assertThat(office.done("alice", Verb.EDIT, "number", number, "document", changed)
                        .at("did")
                        .elements())
                .isEmpty();
        Json odd =
                office.done("alice", Verb.EDIT, "number", number, "document", Office.document("A", "**Type**: Poem"));
        assertThat(odd.at("type").text()).isEqualTo("Standards Track");
        assertThat(odd.at("advice").raw()).contains("no type 'Poem'");
    }

    @Test
    void whatIsImportedStandsWhereItsDocumentSaysAndComesOutByteForByte() {
        String document = Office.document("Old one", "**Sponsor**: @bob", "**Authors**: Ada Lovelace (@ada)")
                .replace("XXXX", "812")
                .replace("Draft", "`Accepted with Changes`");
        Json imported = imported(document, "seps/812-old-one.md");
        assertThat(imported.at("outcome").text()).isEqualTo("imported");
        assertThat(imported.at("number").number(0)).isEqualTo(812);
        assertThat(imported.at("status").text()).isEqualTo("accepted");
        assertThat(imported.at("sponsor").text()).isEqualTo("bob");
        assertThat(imported.at("authors").texts()).containsExactly("@ada");
        assertThat(exported(812)).isEqualTo(document);
        assertThat(imported(document, "812-old-one.md").at("outcome").text()).isEqualTo("unchanged");
        assertThat(imported(document + "\nMore.\n", "812-old-one.md")
                        .at("outcome")
                        .text())
                .isEqualTo("updated");
    }

    @Test
    void exportChangesAStatusThatIsNotSoAndNothingElse() {
        String document = Office.document("A");
        int number = (int) office.done("alice", Verb.SUBMIT, "document", document)
                .at("number")
                .number(0);
        assertThat(exported(number)).isEqualTo(document);
        office.done("bob", Verb.SPONSOR, "number", number);
        assertThat(exported(number)).isEqualTo(document);
        office.done("carol", Verb.MOVE, "number", number, "to", "rejected", "reason", "no");
        assertThat(exported(number)).isEqualTo(document.replace("Draft", "Rejected"));
    }

    @Test
    void aNumberThatIsAnotherProposalsIsNotOverwritten() {
        imported(Office.document("One").replace("XXXX", "5"), "5-one.md");
        Reply.Refused refused = office.refused(
                "dave", Verb.IMPORT, "document", Office.document("Two").replace("XXXX", "5"), "file", "5-two.md");
        assertThat(refused.code()).isEqualTo("number-taken");
        assertThat(refused.message()).contains("'One'").contains("'Two'");
    }

    @Test
    void aFileWithoutANumberGetsOneOnce() {
        String document = Office.document("New");
        long number = imported(document, "0000-new.md").at("number").number(0);
        assertThat(imported(document, "0000-new.md").at("number").number(0)).isEqualTo(number);
        assertThat(office.refused("erin", Verb.IMPORT, "document", document).message())
                .contains("core maintainer")
                .contains("admin");
    }

    @Test
    void whoeverADocumentNamesIsTheIdentityThatHasTheHandle() {
        imported(
                Office.document("A", "**Authors**: @ALICE-writes, @alice, Frank Miller")
                        .replace("XXXX", "3"),
                "3.md");
        // The identity alice says which handle is hers, so @alice is somebody else.
        assertThat(office.done("bob", Verb.SHOW, "number", 3).at("authors").texts())
                .containsExactly("alice", "@alice", "Frank Miller");
        office.hire(new People.Known("frank", "Frank", Set.of(), List.of("@alice")));
        assertThat(office.done("bob", Verb.SHOW, "number", 3).at("authors").texts())
                .containsExactly("alice", "frank", "Frank Miller");
    }

    @Test
    void aDocumentThatIsTooLongIsNotTaken() {
        assertThat(((Reply.Wrong) office.ask(
                                "alice", Verb.SUBMIT, "document", "# T\n" + "x".repeat(LedgerDesk.LONGEST_DOCUMENT)))
                        .message())
                .contains("longer than");
    }

    @Test
    void nothingIsKeptOfADocumentThatIsNotTaken() {
        int number = office.submitted("alice", "A");
        long kept = office.ledger().extent(Streams.DOCUMENTS).last();
        office.refused("alice", Verb.SUBMIT, "document", "# No motivation\n\n## Abstract\n\nWords.\n");
        office.refused("erin", Verb.EDIT, "number", number, "document", Office.document("Not hers"));
        assertThat(office.ask("alice", Verb.EDIT, "number", 99, "document", Office.document("Nobody's")))
                .isInstanceOf(Reply.Unknown.class);
        assertThat(office.ledger().extent(Streams.DOCUMENTS).last()).isEqualTo(kept);
        office.submitted("alice", "B");
        assertThat(office.ledger().extent(Streams.DOCUMENTS).last()).isEqualTo(kept + 1);
    }

    @Test
    void whatIsSaidAboutOneProposalIsBounded() {
        int number = office.submitted("alice", "A");
        Json many = Json.object().with("discussion", Json.write(json -> {
            json.writeStartArray();
            IntStream.range(0, 21).forEach(i -> json.writeString("https://example.org/" + i));
            json.writeEndArray();
        }));
        assertThat(((Reply.Wrong) office.ask("alice", Verb.ATTACH, "number", number, "evidence", many)).message())
                .contains("no more than 20");
        String long_ = "x".repeat(20_000);
        for (int i = 0; i < 52; i++) {
            office.done("erin", Verb.COMMENT, "number", number, "text", long_);
        }
        assertThat(office.refused("erin", Verb.COMMENT, "number", number, "text", long_)
                        .code())
                .isEqualTo("full");
        office.done("bob", Verb.SPONSOR, "number", number);
    }
}
