package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.DocumentTemplate;
import dev.gavel.sep.document.SideFileText;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.store.SepStreamNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the operations that take a document. */
class DocumentRequestHandlerTest {
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

    private Json imported(String document, String file) {
        return sepServiceFixture.executeSuccessfully("dave", SepOperation.IMPORT, "document", document, "file", file);
    }

    private String exported(int number) {
        return sepServiceFixture
                .executeSuccessfully("erin", SepOperation.EXPORT, "number", number)
                .at("document")
                .text();
    }

    @Test
    void aProposalWithoutMotivationIsRefusedAndToldWhatIsMissing() {
        SepResult.Refused refused = sepServiceFixture.executeRefused(
                "alice", SepOperation.SUBMIT, "document", "# Something\n\n## Abstract\n\nWords.\n");
        assertThat(refused.code()).isEqualTo("missing");
        assertThat(refused.message()).contains("Motivation").doesNotContain("Abstract");
    }

    @Test
    void aProposalThatWasNotDiscussedIsToldSoAndTaken() {
        Json bare = sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.SUBMIT, "document", SepServiceFixture.document("A"));
        assertThat(bare.at("advice").raw()).contains("discussion");
        Json discussed = sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.SUBMIT,
                "document",
                SepServiceFixture.document("B", "**Discussion**: https://example.org/discussions/7"));
        assertThat(discussed.at("advice").elements()).isEmpty();
    }

    @Test
    void numbersAreGivenInOrderAndOneThatADocumentSaysIsKeptWhereItIsFree() {
        assertThat(sepServiceFixture.submit("alice", "A")).isEqualTo(1);
        String numbered = SepServiceFixture.document("B").replace("SEP-XXXX", "SEP-41");
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.SUBMIT, "document", numbered)
                        .at("number")
                        .asLong(0))
                .isEqualTo(41);
        Json again =
                sepServiceFixture.executeSuccessfully("alice", SepOperation.SUBMIT, "document", numbered + "\nMore.\n");
        assertThat(again.at("number").asLong(0)).isEqualTo(42);
        assertThat(again.at("advice").texts())
                .contains("The document says SEP-41, but this number is taken. It is now SEP-42. Change its title"
                        + " accordingly.");
    }

    @Test
    void manyWhoSubmitAtOnceEachGetTheirOwnNumber() {
        List<CompletionStage<SepResult>> all = IntStream.range(0, 40)
                .mapToObj(i -> sepServiceFixture
                        .service()
                        .execute(
                                new SepCaller("alice", Set.of()),
                                SepOperation.SUBMIT,
                                SepServiceFixture.arguments("document", SepServiceFixture.document("Title " + i))))
                .toList();
        assertThat(all.stream()
                        .map(each -> ((SepResult.Success)
                                        each.toCompletableFuture().join())
                                .body()
                                .at("number")
                                .asLong(0)))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 40).mapToObj(Long::valueOf).toList());
    }

    @Test
    void aDocumentLikeAnotherIsShownTheOther() {
        String text = SepServiceFixture.document("Streaming of results")
                .replace(
                        "What there is to say of",
                        "Servers stream partial results to clients while a long tool call runs, in");
        int first = (int) sepServiceFixture
                .executeSuccessfully("alice", SepOperation.SUBMIT, "document", text)
                .at("number")
                .asLong(0);
        Json second = sepServiceFixture.executeSuccessfully(
                "erin", SepOperation.SUBMIT, "document", text.replace("Streaming of", "Streaming partial"));
        assertThat(second.at("similar").elements().getFirst().at("number").asLong(0))
                .isEqualTo(first);
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.SIMILAR, "number", first)
                        .at("similar")
                        .elements()
                        .getFirst()
                        .at("number")
                        .asLong(0))
                .isEqualTo(second.at("number").asLong(0));
    }

    @Test
    void anAuthorChangesTheDocumentAndNobodyElse() {
        int number = sepServiceFixture.submit("alice", "A");
        String changed = SepServiceFixture.document("A, but better", "**Type**: Process", "**Authors**: @erin");
        assertThat(sepServiceFixture
                        .executeRefused("erin", SepOperation.EDIT, "number", number, "document", changed)
                        .code())
                .isEqualTo("not-allowed");
        sepServiceFixture.executeSuccessfully("alice", SepOperation.EDIT, "number", number, "document", changed);
        Json shown = sepServiceFixture.executeSuccessfully("bob", SepOperation.SHOW, "number", number);
        assertThat(shown.at("title").text()).isEqualTo("A, but better");
        assertThat(shown.at("type").text()).isEqualTo("Process");
        assertThat(shown.at("authors").texts()).containsExactly("alice", "erin");
        assertThat(sepServiceFixture
                        .executeSuccessfully("alice", SepOperation.EDIT, "number", number, "document", changed)
                        .at("did")
                        .elements())
                .isEmpty();
        Json odd = sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.EDIT,
                "number",
                number,
                "document",
                SepServiceFixture.document("A", "**Type**: Poem"));
        assertThat(odd.at("type").text()).isEqualTo("Standards Track");
        assertThat(odd.at("advice").raw()).contains("Unknown type 'Poem'");
    }

    @Test
    void whatIsImportedStandsWhereItsDocumentSaysAndComesOutByteForByte() {
        String document = SepServiceFixture.document("Old one", "**Sponsor**: @bob", "**Authors**: Ada Lovelace (@ada)")
                .replace("XXXX", "812")
                .replace("Draft", "`Accepted with Changes`");
        Json imported = imported(document, "seps/812-old-one.md");
        assertThat(imported.at("outcome").text()).isEqualTo("imported");
        assertThat(imported.at("number").asLong(0)).isEqualTo(812);
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
        String document = SepServiceFixture.document("A");
        int number = (int) sepServiceFixture
                .executeSuccessfully("alice", SepOperation.SUBMIT, "document", document)
                .at("number")
                .asLong(0);
        assertThat(exported(number)).isEqualTo(document);
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        assertThat(exported(number)).isEqualTo(document);
        sepServiceFixture.attachConfirmed("carol", number, "decision", "rejected: no", "dave");
        sepServiceFixture.executeSuccessfully(
                "carol", SepOperation.MOVE, "number", number, "to", "rejected", "reason", "no");
        assertThat(exported(number)).isEqualTo(document.replace("Draft", "Rejected"));
    }

    @Test
    void aNumberThatIsAnotherProposalsIsNotOverwritten() {
        imported(SepServiceFixture.document("One").replace("XXXX", "5"), "5-one.md");
        SepResult.Refused refused = sepServiceFixture.executeRefused(
                "dave",
                SepOperation.IMPORT,
                "document",
                SepServiceFixture.document("Two").replace("XXXX", "5"),
                "file",
                "5-two.md");
        assertThat(refused.code()).isEqualTo("number-taken");
        assertThat(refused.message()).contains("'One'").contains("'Two'");
    }

    @Test
    void aFileWithoutANumberGetsOneOnce() {
        String document = SepServiceFixture.document("New");
        long number = imported(document, "0000-new.md").at("number").asLong(0);
        assertThat(imported(document, "0000-new.md").at("number").asLong(0)).isEqualTo(number);
        assertThat(sepServiceFixture
                        .executeRefused("erin", SepOperation.IMPORT, "document", document)
                        .message())
                .contains("core maintainer")
                .contains("admin");
    }

    @Test
    void whoeverADocumentNamesIsTheIdentityThatHasTheHandle() {
        imported(
                SepServiceFixture.document("A", "**Authors**: @ALICE-writes, @alice, Frank Miller")
                        .replace("XXXX", "3"),
                "3.md");
        // The identity alice lists another handle, so @alice is another person.
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.SHOW, "number", 3)
                        .at("authors")
                        .texts())
                .containsExactly("alice", "@alice", "Frank Miller");
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson("frank", "Frank", Set.of(), List.of("@alice")));
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.SHOW, "number", 3)
                        .at("authors")
                        .texts())
                .containsExactly("alice", "frank", "Frank Miller");
    }

    @Test
    void aDocumentThatIsTooLongIsNotTaken() {
        assertThat(((SepResult.InvalidRequest) sepServiceFixture.execute(
                                "alice",
                                SepOperation.SUBMIT,
                                "document",
                                "# T\n" + "x".repeat(LedgerSepService.MAX_DOCUMENT_LENGTH)))
                        .message())
                .contains("longer than");
    }

    @Test
    void nothingIsKeptOfADocumentThatIsNotTaken() {
        int number = sepServiceFixture.submit("alice", "A");
        long documentCount = sepServiceFixture
                .ledger()
                .retainedRange(SepStreamNames.DOCUMENTS)
                .last();
        sepServiceFixture.executeRefused(
                "alice", SepOperation.SUBMIT, "document", "# No motivation\n\n## Abstract\n\nWords.\n");
        sepServiceFixture.executeRefused(
                "erin", SepOperation.EDIT, "number", number, "document", SepServiceFixture.document("Not hers"));
        assertThat(sepServiceFixture.execute(
                        "alice", SepOperation.EDIT, "number", 99, "document", SepServiceFixture.document("Nobody's")))
                .isInstanceOf(SepResult.NotFound.class);
        assertThat(sepServiceFixture
                        .ledger()
                        .retainedRange(SepStreamNames.DOCUMENTS)
                        .last())
                .isEqualTo(documentCount);
        sepServiceFixture.submit("alice", "B");
        assertThat(sepServiceFixture
                        .ledger()
                        .retainedRange(SepStreamNames.DOCUMENTS)
                        .last())
                .isEqualTo(documentCount + 1);
    }

    @Test
    void whatIsSaidAboutOneProposalIsBounded() {
        int number = sepServiceFixture.submit("alice", "A");
        Json many = Json.object().with("discussion", Json.write(json -> {
            json.writeStartArray();
            IntStream.range(0, 21).forEach(i -> json.writeString("https://example.org/" + i));
            json.writeEndArray();
        }));
        assertThat(((SepResult.InvalidRequest) sepServiceFixture.execute(
                                "alice", SepOperation.ATTACH, "number", number, "evidence", many))
                        .message())
                .contains("at most 20 pieces of evidence");
        commentUntilFull("dave", number);
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
    }

    /** Comments until the SEP has no more room for this person, and returns the number of comments. */
    private int commentUntilFull(String who, int number) {
        String text = "x".repeat(19_990);
        for (int i = 0; i < 60; i++) {
            SepResult result = sepServiceFixture.execute(who, SepOperation.COMMENT, "number", number, "text", text);
            if (result instanceof SepResult.Refused refused) {
                assertThat(refused.code()).isEqualTo("full");
                return i;
            }
        }
        throw new AssertionError("the discussion has no limit for " + who);
    }

    @Test
    void nobodyEndsTheDiscussionForOthers() {
        int number = sepServiceFixture.submit("alice", "A");
        assertThat(commentUntilFull("erin", number)).isEqualTo(3);
        for (int i = 0; i < 10; i++) {
            String stranger = "stranger" + i;
            sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson(stranger, stranger, Set.of(), List.of()));
            commentUntilFull(stranger, number);
        }
        String text = "x".repeat(20_000);
        sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.ATTACH,
                "number",
                number,
                "evidence",
                Json.object().with("discussion", Json.ofText("https://example.org/1")));
        sepServiceFixture.executeSuccessfully("alice", SepOperation.COMMENT, "number", number, "text", text);
        sepServiceFixture.executeSuccessfully("bob", SepOperation.COMMENT, "number", number, "text", text);

        assertThat(commentUntilFull("alice", number)).isPositive();
        sepServiceFixture.executeSuccessfully("carol", SepOperation.COMMENT, "number", number, "text", text);
        sepServiceFixture.executeSuccessfully("bob", SepOperation.ASK, "number", number, "whom", "carol");
    }

    @Test
    void anIdentityThatStoredTooMuchTodayCannotSubmitEditOrCommentButVoteAndMove() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.reopen(50_000);
        String longText = SepServiceFixture.document("B") + "x".repeat(60_000);

        assertThat(List.of(
                        sepServiceFixture.executeRefused("alice", SepOperation.SUBMIT, "document", longText),
                        sepServiceFixture.executeRefused(
                                "alice", SepOperation.EDIT, "number", number, "document", longText)))
                .allMatch(refused -> refused.code().equals("quota-exceeded"));
        String comment = "x".repeat(20_000);
        sepServiceFixture.executeSuccessfully("erin", SepOperation.COMMENT, "number", number, "text", comment);
        sepServiceFixture.executeSuccessfully("erin", SepOperation.COMMENT, "number", number, "text", comment);
        assertThat(sepServiceFixture
                        .executeRefused("erin", SepOperation.COMMENT, "number", number, "text", comment)
                        .message())
                .contains("00:00 UTC", "limits.bytes.day");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.advanceClock(Duration.ofDays(1));
        sepServiceFixture.executeSuccessfully("erin", SepOperation.COMMENT, "number", number, "text", comment);
    }

    private Json importedWith(String document, Object... options) {
        Object[] pairs = new Object[options.length + 2];
        pairs[0] = "document";
        pairs[1] = document;
        System.arraycopy(options, 0, pairs, 2, options.length);
        return sepServiceFixture.executeSuccessfully("dave", SepOperation.IMPORT, pairs);
    }

    private String submittedAt(int number) {
        return sepServiceFixture
                .executeSuccessfully("erin", SepOperation.SHOW, "number", number)
                .at("submitted")
                .text();
    }

    @Test
    void anExportHasThePathOfTheImportAlsoAfterAnEditAndARestart() {
        String text = SepServiceFixture.document("Sails").replace("SEP-XXXX", "SEP-7");
        importedWith(text, "path", "specs/deep/0007-Old_Name.md");
        sepServiceFixture.executeSuccessfully(
                "dave", SepOperation.IMPORT, "document", text + "\nMore.\n", "file", "7-sails.md");
        sepServiceFixture.reopen();
        assertThat(sepServiceFixture
                        .executeSuccessfully("erin", SepOperation.EXPORT, "number", 7)
                        .at("file")
                        .text())
                .isEqualTo("specs/deep/0007-Old_Name.md");
        assertThat(sepServiceFixture.execute("dave", SepOperation.IMPORT, "document", text, "path", "../0007-sails.md"))
                .isInstanceOfSatisfying(
                        SepResult.InvalidRequest.class,
                        refused -> assertThat(refused.message())
                                .contains("'path' must be the relative path of a text document"));
    }

    @Test
    void theDateInADocumentIsTheDateOfItsSubmissionAndItsDeadlinesStartNow() {
        String text =
                SepServiceFixture.document("Sails", "**Created**: 2025-03-01").replace("SEP-XXXX", "SEP-7");
        importedWith(text, "created", "2025-05-05T10:00:00Z");
        importedWith(
                SepServiceFixture.document("Oars").replace("SEP-XXXX", "SEP-8"),
                "created",
                "2025-05-05T10:00:00+02:00",
                "changed",
                "2025-12-24T10:00:00Z");
        importedWith(
                SepServiceFixture.document("Keel", "**Created**: 2031-01-01").replace("SEP-XXXX", "SEP-9"));
        sepServiceFixture.reopen();
        assertThat(submittedAt(7)).startsWith("2025-03-01");
        assertThat(submittedAt(8)).startsWith("2025-05-05T08:00");
        assertThat(submittedAt(9)).isEqualTo(SepServiceFixture.START.toString());
        assertThat(since(7)).isEqualTo(SepServiceFixture.START.toString());
        assertThat(since(8)).startsWith("2025-12-24");
        assertThat(sepServiceFixture.execute("dave", SepOperation.IMPORT, "document", text, "changed", "yesterday"))
                .isInstanceOf(SepResult.InvalidRequest.class);
    }

    private String since(int number) {
        return sepServiceFixture
                .executeSuccessfully("erin", SepOperation.NEXT, "number", number)
                .at("since")
                .text();
    }

    @Test
    void aDocumentWithoutANumberIsRefusedIfNoNumberMayBeAssigned() {
        assertThat(sepServiceFixture
                        .executeRefused(
                                "dave",
                                SepOperation.IMPORT,
                                "document",
                                SepServiceFixture.document("Sails"),
                                "assign",
                                false)
                        .code())
                .isEqualTo("number-missing");
        assertThat(importedWith(SepServiceFixture.document("Sails"), "assign", true)
                        .at("number")
                        .asLong(0))
                .isEqualTo(1);
    }

    @Test
    void anUnknownStatusOfAnImportedDocumentStaysUntilTheSepMoves() {
        String text = SepServiceFixture.document("Sails")
                .replace("SEP-XXXX", "SEP-7")
                .replace("Status**: Draft", "Status**: Imlpemented");
        importedWith(text, "path", "7.md");
        assertThat(exported(7)).isEqualTo(text);
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", 7);
        assertThat(exported(7)).contains("Status**: Draft");
    }

    @Test
    void anUntouchedTemplateIsNotSubmittedHoweverItsLinesAreBroken() {
        String template = DocumentTemplate.render(
                BuiltInProcesses.defaultProcess().documentFormat(),
                "Quiet logs",
                List.of("@alice-writes"),
                Optional.empty(),
                "Draft",
                LocalDate.of(2026, 1, 5));
        for (String text : List.of(template, template.replace(" changes", "\nchanges"))) {
            SepResult.Refused refused =
                    sepServiceFixture.executeRefused("alice", SepOperation.SUBMIT, "document", text);
            assertThat(refused.code()).isEqualTo("template-text");
            assertThat(refused.message())
                    .isEqualTo("The document still has the text of the template. Write these parts, then submit it:"
                            + " Abstract, Motivation.");
        }
        assertThat(sepServiceFixture
                        .executeRefused("alice", SepOperation.SUBMIT, "document", SepServiceFixture.document("Title"))
                        .message())
                .endsWith("submit it: title.");
    }

    @Test
    void aKepAndTheFileBesideItAreOneDocument() throws IOException {
        open("kep");
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson("lee", "Lee", Set.of("sig-lead"), List.of()));
        String text = SideFileText.join(
                        "title: Sails\nauthors:\n  - \"@ann\"\nstatus: implementable # soon\ncreation-date: 2024-02-03",
                        "# KEP-7: Other words\n\n## Summary\n\nWords.\n")
                .orElseThrow();
        String path = "keps/sig-harbour/7-sails/README.md";
        Json imported = importedWith(text, "file", path, "path", path, "side", "kep.yaml");
        assertThat(imported.at("number").asLong(0)).isEqualTo(7);
        assertThat(imported.at("title").text()).isEqualTo("Sails");
        assertThat(imported.at("status").text()).isEqualTo("implementable");
        assertThat(submittedAt(7)).startsWith("2024-02-03");
        Json export = sepServiceFixture.executeSuccessfully("erin", SepOperation.EXPORT, "number", 7);
        assertThat(export.at("file").text()).isEqualTo(path);
        assertThat(export.at("side").text()).isEqualTo("kep.yaml");
        assertThat(export.at("document").text()).isEqualTo(text);

        sepServiceFixture.executeSuccessfully(
                "lee", SepOperation.MOVE, "number", 7, "to", "deferred", "reason", "No time.");
        assertThat(exported(7)).isEqualTo(text.replace("status: implementable", "status: deferred"));
        assertThat(sepServiceFixture.execute(
                        "dave", SepOperation.IMPORT, "document", "# KEP-8: Oars\n", "path", path, "side", "kep.yaml"))
                .isInstanceOf(SepResult.InvalidRequest.class);
    }

    @Test
    void aRustRfcStatesNoStatusAndIsActive() throws IOException {
        open("rust-rfc");
        Json imported = importedWith(
                "- Feature Name: `sails`\n- Start Date: 2024-02-03\n\n## Summary\n\nWords.\n",
                "file",
                "text/0042-new-sails.md");
        assertThat(imported.at("number").asLong(0)).isEqualTo(42);
        assertThat(imported.at("title").text()).isEqualTo("new sails");
        assertThat(imported.at("status").text()).isEqualTo("active");
        assertThat(submittedAt(42)).startsWith("2024-02-03");
    }

    private void open(String process) throws IOException {
        sepServiceFixture.close();
        Path own = Files.createDirectory(directory.resolve(process));
        sepServiceFixture =
                new SepServiceFixture(own, BuiltInProcesses.find(process).orElseThrow());
    }
}
