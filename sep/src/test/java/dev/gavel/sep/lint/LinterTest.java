package dev.gavel.sep.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Documents;
import dev.gavel.sep.process.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinterTest {
    private static final Process PROCESS = Processes.usual();
    private static final LintContext ALONE = LintContext.of(PROCESS);
    private static final String FILE = "42-paging.md";

    private static List<Finding> lint(String text) {
        return Linter.lint(FILE, Document.read(text), ALONE);
    }

    private static String with(String... fields) {
        return Documents.with(fields);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bullets", "bold", "table", "front", "html", "plain"})
    void nothingIsFoundInAGoodDocument(String form) {
        assertThat(lint(Documents.text(form))).isEmpty();
    }

    @Test
    void aDocumentWithoutPreambleMayBeSubmitted() {
        assertThat(lint(Documents.text("bare")))
                .extracting(Finding::code)
                .containsExactly(
                        Code.STATUS_MISSING,
                        Code.TYPE_MISSING,
                        Code.AUTHOR_MISSING,
                        Code.CREATED_MISSING,
                        Code.DISCUSSION_MISSING);
        assertThat(lint(Documents.text("bare"))).extracting(Finding::severity).doesNotContain(Severity.ERROR);
    }

    /** Each code with a document it is found in, where, and how much it matters. */
    static Stream<Arguments> examples() {
        String good = Documents.text("bullets");
        return Stream.of(
                found("", Code.EMPTY, "1:1", Severity.ERROR),
                found(good + "x".repeat(Document.LIMIT), Code.TOO_LONG, "1:1", Severity.ERROR),
                found(good.replace("# SEP-42: Paging for every list", ""), Code.TITLE_MISSING, "1:1", Severity.ERROR),
                found(good.replace("SEP-42", "SEP-43"), Code.NUMBER_DIFFERS, "1:1", Severity.ERROR),
                found(good.replace("SEP-42", "SEP-XXXX"), Code.NUMBER_MISSING, "1:1", Severity.WARNING),
                found(with("- **SEP**: 43"), Code.NUMBER_DIFFERS, "3:12", Severity.ERROR),
                found(good.replace("- **Status**: Draft\n", ""), Code.STATUS_MISSING, "3:3", Severity.NOTE),
                found(with("- **Status**: TBD"), Code.STATUS_PLACEHOLDER, "3:15", Severity.NOTE),
                found(with("- **Status**: Darft"), Code.STATUS_UNKNOWN, "3:15", Severity.ERROR),
                found(good.replace("- **Type**: Standards Track\n", ""), Code.TYPE_MISSING, "3:3", Severity.NOTE),
                found(with("- **Type**: Extension"), Code.TYPE_UNKNOWN, "4:13", Severity.ERROR),
                found(with("- **Author(s)**: TBD"), Code.AUTHOR_MISSING, "6:18", Severity.WARNING),
                found(
                        with("- **Author(s)**: on behalf of the Paging Group"),
                        Code.AUTHOR_UNREADABLE,
                        "6:18",
                        Severity.WARNING),
                found(with("- **Author(s)**: Alice Archer"), Code.AUTHOR_HANDLE, "6:18", Severity.NOTE),
                found(with("- **Sponsor**: @carol and @bob"), Code.SPONSOR_SEVERAL, "7:16", Severity.WARNING),
                found(with("- **Sponsor**: on behalf of all"), Code.SPONSOR_UNREADABLE, "7:16", Severity.WARNING),
                found(with("- **Created**: TBD"), Code.CREATED_MISSING, "5:16", Severity.NOTE),
                found(with("- **Created**: last week"), Code.CREATED_MALFORMED, "5:16", Severity.WARNING),
                found(with("- **Created**: 2026-02-30"), Code.CREATED_MALFORMED, "5:16", Severity.WARNING),
                found(with("- **Created**: 03/04/2026"), Code.CREATED_FORM, "5:16", Severity.WARNING),
                found(with("- **PR**: TBD"), Code.PR_PLACEHOLDER, "8:11", Severity.NOTE),
                found(with("- **PR**: soon"), Code.PR_UNREADABLE, "8:11", Severity.WARNING),
                found(with("- **Discussion**: TBD"), Code.DISCUSSION_MISSING, "9:19", Severity.NOTE),
                found(
                        good.replace("- **Type", "- **Status**: Final\n- **Type"),
                        Code.FIELD_DUPLICATE,
                        "4:3",
                        Severity.WARNING),
                found(good.replace("## Abstract", "## Contents"), Code.SECTION_MISSING, "1:1", Severity.ERROR),
                found(good.replace("## Rationale", "## Thoughts"), Code.SECTION_MISSING, "19:1", Severity.WARNING),
                found(good.replace("Nothing breaks.", ""), Code.SECTION_EMPTY, "32:1", Severity.WARNING),
                found(good.replace("Nothing breaks.", "TBD"), Code.SECTION_EMPTY, "32:1", Severity.WARNING),
                found(good.replace("Lists can be read page by page.", ""), Code.SECTION_EMPTY, "11:1", Severity.ERROR),
                found(good + "\n## Abstract\n\nAgain.\n", Code.SECTION_DUPLICATE, "44:1", Severity.WARNING),
                found(good.replace("## Rationale", "### Rationale"), Code.SECTION_NESTED, "28:1", Severity.NOTE),
                found(good.replace("## Rationale", "##Rationale"), Code.HEADING_SPACE, "28:1", Severity.WARNING),
                found(with("- **Supersedes**: the old one"), Code.LINK_UNREADABLE, "3:19", Severity.WARNING),
                found(with("- **Replaces**: SEP-42"), Code.LINK_SELF, "3:17", Severity.ERROR));
    }

    private static Arguments found(String text, Code code, String place, Severity severity) {
        return Arguments.of(code, text, place, severity);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void aMistakeIsFoundAndNothingElseIs(Code code, String text, String place, Severity severity) {
        List<Finding> findings = lint(text);
        assertThat(findings).hasSize(1);
        Finding finding = findings.getFirst();
        assertThat(finding.code()).isEqualTo(code);
        assertThat(finding.line() + ":" + finding.column()).isEqualTo(place);
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.message()).isNotBlank();
        assertThat(finding.help()).isNotBlank();
    }

    @Test
    void everyCodeHasItsExample() {
        Set<Code> shown = EnumSet.noneOf(Code.class);
        examples().forEach(example -> shown.add((Code) example.get()[0]));
        // The first only a file can have; the rest are tested below.
        shown.addAll(List.of(
                Code.NOT_UTF_8,
                Code.NUMBER_PLACEHOLDER,
                Code.NUMBER_TAKEN,
                Code.FILE_UNNUMBERED,
                Code.STATUS_DIFFERS,
                Code.LINK_UNKNOWN,
                Code.LINK_ONE_SIDED,
                Code.LINK_CIRCULAR));
        assertThat(shown).containsExactlyInAnyOrder(Code.values());
    }

    @Test
    void whatIsNearIsOffered() {
        assertThat(lint(with("- **Status**: Darft")).getFirst().help()).isEqualTo("did you mean 'draft'?");
        assertThat(lint(with("- **Type**: Extension")).getFirst().help()).isEqualTo("did you mean 'Extensions Track'?");
        assertThat(lint(with("- **Created**: 4 March 2026")).getFirst().help()).isEqualTo("write 2026-03-04");
    }

    @Test
    void beforeThereIsANumberPlaceholdersAreWorthANote() {
        String text = Documents.text("bullets").replace("SEP-42", "SEP-XXXX");
        assertThat(Linter.lint("0000-paging.md", Document.read(text), ALONE))
                .extracting(Finding::code, Finding::severity)
                .containsExactly(tuple(Code.NUMBER_PLACEHOLDER, Severity.NOTE));
        assertThat(Linter.lint("0000-paging.md", Document.read(Documents.text("bullets")), ALONE))
                .extracting(Finding::code, Finding::help)
                .containsExactly(tuple(Code.FILE_UNNUMBERED, "rename the file to 42-paging.md"));
    }

    private static List<Finding> kept(String text, String state, boolean sponsored) {
        return Linter.lint(FILE, Document.read(text), ALONE.kept(new LintContext.Kept(42, state, role -> sponsored)));
    }

    @Test
    void theLedgerSaysWhatTheStatusIs() {
        assertThat(kept(Documents.text("bullets"), "provisional", true))
                .extracting(Finding::code, Finding::message)
                .containsExactly(
                        tuple(Code.STATUS_DIFFERS, "its Status says 'Draft', but the ledger says provisional"));
        assertThat(kept(Documents.text("bullets"), "draft", true)).isEmpty();
    }

    @Test
    void aWordThatMeansTheStateIsNoDifference() {
        assertThat(kept(with("- **Status**: Draft", "- **Sponsor**: None"), "proposal", false))
                .isEmpty();
        assertThat(kept(with("- **Status**: Accepted with Changes"), "accepted", true))
                .isEmpty();
        assertThat(kept(with("- **Status**: approved"), "accepted", true)).isEmpty();
        assertThat(kept(with("- **Status**: IN-REVIEW"), "in-review", true)).isEmpty();
    }

    @Test
    void whatTheStateNeedsIsTheLedgersToSay() {
        String text =
                Documents.text("bullets").replace("## Rationale", "## Thoughts").replace("Draft", "In-Review");
        assertThat(kept(text, "in-review", true))
                .extracting(Finding::code, Finding::severity)
                .containsExactly(tuple(Code.SECTION_MISSING, Severity.ERROR));
    }

    @Test
    void whereNothingCanComeOfItAMissingSectionIsNoMatter() {
        assertThat(lint(with("- **Status**: Rejected").replace("## Rationale", "## Thoughts")))
                .isEmpty();
    }

    private static Linter.Source source(int number, String... fields) {
        return new Linter.Source(number + "-x.md", Document.read(with(fields).replace("SEP-42", "SEP-" + number)));
    }

    @Test
    void linksLeadSomewhereAndAgreeInBothDirections() {
        assertThat(Linter.together(
                        List.of(source(1, "- **Supersedes**: SEP-2"), source(2, "- **Superseded-By**: SEP-1")), ALONE))
                .isEmpty();
        assertThat(codes(source(1, "- **Requires**: SEP-3"), source(2))).containsExactly("1-x.md link-unknown");
        assertThat(codes(source(1, "- **Supersedes**: SEP-2"), source(2))).containsExactly("1-x.md link-one-sided");
        assertThat(codes(source(1), source(2, "- **Superseded-By**: SEP-1"))).containsExactly("2-x.md link-one-sided");
        assertThat(codes(source(1, "- **Requires**: SEP-2"), source(2, "- **Requires**: SEP-1")))
                .containsExactly("1-x.md link-circular", "2-x.md link-circular");
        assertThat(codes(source(1, "- **Requires**: SEP-2", "- **Replaces**: SEP-2"), source(2)))
                .isEmpty();
    }

    @Test
    void aNumberIsTakenOnce() {
        Linter.Source other = new Linter.Source("1-y.md", source(1).document());
        assertThat(codes(source(1), other)).containsExactly("1-y.md number-taken");
    }

    private static List<String> codes(Linter.Source... sources) {
        return Linter.together(List.of(sources), ALONE).stream()
                .map(finding -> finding.file() + " " + finding.code().word())
                .toList();
    }

    @Test
    void theDocumentationHasEveryCodeAndNoOther() throws IOException {
        String text = Files.readString(Path.of("../docs/sep-documents.md"));
        List<MatchResult> rows = Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| (error|warning|note)")
                .matcher(text)
                .results()
                .toList();
        assertThat(rows.stream().map(row -> row.group(1) + " " + row.group(2)))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Code.values())
                        .map(code -> code.word() + " " + code.severity().word())
                        .toList());
    }

    @Test
    void aProcessWithoutTypesAsksForNone() {
        Process bare = new Process(
                PROCESS.name(),
                PROCESS.title(),
                PROCESS.roles(),
                Map.of(),
                PROCESS.evidence(),
                PROCESS.facts(),
                PROCESS.states(),
                PROCESS.start(),
                PROCESS.moves(),
                PROCESS.votes(),
                PROCESS.clocks(),
                PROCESS.aliases(),
                PROCESS.permissions(),
                PROCESS.coolDown());
        LintContext context = new LintContext(bare, Optional.empty(), Optional.empty());
        assertThat(Linter.lint(FILE, Document.read(with("- **Type**: Poem")), context))
                .isEmpty();
    }
}
