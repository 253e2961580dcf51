package dev.gavel.sep.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentFixtures;
import dev.gavel.sep.process.BuiltInProcesses;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinterTest {
    private static final ProcessDefinition PROCESS = BuiltInProcesses.defaultProcess();
    private static final LintContext ALONE = LintContext.of(PROCESS);
    private static final String FILE = "42-paging.md";

    private static List<LintFinding> lint(String text) {
        return Linter.lint(FILE, DocumentFixtures.read(text), ALONE);
    }

    private static String with(String... fields) {
        return DocumentFixtures.withFields(fields);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bullets", "bold", "table", "front", "html", "plain"})
    void nothingIsFoundInAGoodDocument(String form) {
        assertThat(lint(DocumentFixtures.text(form))).isEmpty();
    }

    /** In quadratic time, each of these documents takes several minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"<details>\n\n", "a <details>", "<!--\n"})
    @Timeout(100)
    void theLongestDocumentOfHtmlTagsIsCheckedInLinearTime(String tag) {
        String document = tag.repeat(Document.MAX_LENGTH / tag.length());

        assertThat(lint(document))
                .hasSizeLessThanOrEqualTo(1_000)
                .extracting(LintFinding::code)
                .contains(LintCode.HTML_TAG);
    }

    @Test
    void aSettledDocumentHasNoErrors() {
        String text = with("- **Type**: Poem");
        assertThat(lint(text)).extracting(LintFinding::severity).containsExactly(LintSeverity.ERROR);
        for (String status : List.of("Final", "Rejected", "Withdrawn")) {
            String settled = DocumentFixtures.read(text).withStatus(status);
            assertThat(lint(settled))
                    .as(status)
                    .filteredOn(finding -> finding.code() == LintCode.TYPE_UNKNOWN)
                    .extracting(LintFinding::severity)
                    .containsExactly(LintSeverity.WARNING);
        }
    }

    @Test
    void aCommentDisablesCodesInItsDocumentUnlessTheyProtectReaders() {
        String text = with("- **Type**: Poem", "- **Created**: 2026/01/02");
        assertThat(lint(text)).extracting(LintFinding::code).contains(LintCode.TYPE_UNKNOWN, LintCode.CREATED_FORM);
        assertThat(lint(text + "\n<!-- gavel-lint-disable type-unknown, created-form -->\n"))
                .isEmpty();
        assertThat(lint(text + "\n<!-- gavel-lint-disable typo -->\n"))
                .extracting(LintFinding::message)
                .contains("'typo' is not a lint code");
        assertThat(lint(DocumentFixtures.text("bullets")
                        + "\n<!-- gavel-lint-disable hidden-character -->\n\nAn \u202e arrow.\n"))
                .extracting(LintFinding::code)
                .containsExactlyInAnyOrder(LintCode.HIDDEN_CHARACTER, LintCode.DISABLED_UNKNOWN);
    }

    @Test
    void aCompanyIsNotAPerson() {
        assertThat(lint(with("- **Author(s)**: Example Ltd")))
                .extracting(LintFinding::code)
                .containsExactly(LintCode.AUTHOR_COMPANY);
        assertThat(lint(with("- **Sponsor**: Example Foundation")))
                .extracting(LintFinding::code)
                .containsExactly(LintCode.SPONSOR_COMPANY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"#N", "#0000", "https://github.com/example/project/pull/0000", "https://example.org/a/pull/N"})
    void aPullRequestWithoutANumberIsAPlaceholder(String pr) {
        assertThat(lint(with("- **PR**: " + pr)))
                .extracting(LintFinding::code)
                .containsExactly(LintCode.PR_PLACEHOLDER);
    }

    @Test
    void aDocumentWithoutPreambleMayBeSubmitted() {
        assertThat(lint(DocumentFixtures.text("bare")))
                .extracting(LintFinding::code)
                .containsExactly(
                        LintCode.STATUS_MISSING,
                        LintCode.TYPE_MISSING,
                        LintCode.AUTHOR_MISSING,
                        LintCode.CREATED_MISSING,
                        LintCode.DISCUSSION_MISSING);
        assertThat(lint(DocumentFixtures.text("bare")))
                .extracting(LintFinding::severity)
                .doesNotContain(LintSeverity.ERROR);
    }

    /** The number of the line after the empty line that follows a text. */
    private static long lineAfter(String text) {
        return text.lines().count() + 2;
    }

    /** Each code with a document that has the finding, its position and its severity. */
    static Stream<Arguments> examples() {
        String good = DocumentFixtures.text("bullets");
        return Stream.of(
                found("", LintCode.EMPTY, "1:1", LintSeverity.ERROR),
                found(good + "x".repeat(Document.MAX_LENGTH), LintCode.TOO_LONG, "1:1", LintSeverity.ERROR),
                found(
                        good.replace("# SEP-42: Paging for every list", ""),
                        LintCode.TITLE_MISSING,
                        "1:1",
                        LintSeverity.ERROR),
                found(good.replace("SEP-42", "SEP-43"), LintCode.NUMBER_DIFFERS, "1:1", LintSeverity.ERROR),
                found(good + "\n<script>\n", LintCode.HTML_TAG, lineAfter(good) + ":1", LintSeverity.WARNING),
                found(good + "\na <title>\n", LintCode.HTML_TAG, lineAfter(good) + ":3", LintSeverity.WARNING),
                found(good + "\n<!-- never\n", LintCode.HTML_TAG, lineAfter(good) + ":1", LintSeverity.WARNING),
                found(good + "\na <details>\n", LintCode.HTML_TAG, lineAfter(good) + ":3", LintSeverity.WARNING),
                found(
                        good + "\n<details><tr></details>\n",
                        LintCode.HTML_TAG,
                        lineAfter(good) + ":1",
                        LintSeverity.WARNING),
                found(good + "\n<object>\n\nMore.\n", LintCode.HTML_TAG, lineAfter(good) + ":1", LintSeverity.WARNING),
                found(good + "\na <noscript>b\n", LintCode.HTML_TAG, lineAfter(good) + ":3", LintSeverity.WARNING),
                found(
                        good + "\n" + "<b>".repeat(300) + "text\n",
                        LintCode.HTML_TAG,
                        lineAfter(good) + ":1",
                        LintSeverity.WARNING),
                found(
                        good + "\na\u202Eb \u202Ec\n",
                        LintCode.HIDDEN_CHARACTER,
                        lineAfter(good) + ":2",
                        LintSeverity.WARNING),
                found(
                        good + "\na\n`b\u200b`\n",
                        LintCode.HIDDEN_CHARACTER,
                        (lineAfter(good) + 1) + ":3",
                        LintSeverity.WARNING),
                found(
                        good + "\na &#x202e;b\n",
                        LintCode.HIDDEN_CHARACTER,
                        lineAfter(good) + ":1",
                        LintSeverity.WARNING),
                found(good.replace("SEP-42", "SEP-XXXX"), LintCode.NUMBER_MISSING, "1:1", LintSeverity.WARNING),
                found(with("- **SEP**: 43"), LintCode.NUMBER_DIFFERS, "3:12", LintSeverity.ERROR),
                found(good.replace("- **Status**: Draft\n", ""), LintCode.STATUS_MISSING, "3:3", LintSeverity.NOTE),
                found(with("- **Status**: TBD"), LintCode.STATUS_PLACEHOLDER, "3:15", LintSeverity.NOTE),
                found(with("- **Status**: Darft"), LintCode.STATUS_UNKNOWN, "3:15", LintSeverity.ERROR),
                found(
                        good.replace("- **Type**: Standards Track\n", ""),
                        LintCode.TYPE_MISSING,
                        "3:3",
                        LintSeverity.NOTE),
                found(with("- **Type**: Extension"), LintCode.TYPE_UNKNOWN, "4:13", LintSeverity.ERROR),
                found(with("- **Author(s)**: TBD"), LintCode.AUTHOR_MISSING, "6:18", LintSeverity.WARNING),
                found(
                        with("- **Author(s)**: on behalf of the Paging Group"),
                        LintCode.AUTHOR_UNREADABLE,
                        "6:18",
                        LintSeverity.WARNING),
                found(with("- **Author(s)**: Alice Archer"), LintCode.AUTHOR_HANDLE, "6:18", LintSeverity.NOTE),
                found(with("- **Author(s)**: Example Ltd"), LintCode.AUTHOR_COMPANY, "6:18", LintSeverity.WARNING),
                found(
                        with("- **Sponsor**: Example Foundation"),
                        LintCode.SPONSOR_COMPANY,
                        "7:16",
                        LintSeverity.WARNING),
                found(
                        with("- **PR**: #42") + "\n<!-- gavel-lint-disable typo -->\n",
                        LintCode.DISABLED_UNKNOWN,
                        "1:1",
                        LintSeverity.WARNING),
                found(with("- **Sponsor**: @carol and @bob"), LintCode.SPONSOR_SEVERAL, "7:16", LintSeverity.WARNING),
                found(
                        with("- **Sponsor**: on behalf of all"),
                        LintCode.SPONSOR_UNREADABLE,
                        "7:16",
                        LintSeverity.WARNING),
                found(with("- **Created**: TBD"), LintCode.CREATED_MISSING, "5:16", LintSeverity.NOTE),
                found(with("- **Created**: last week"), LintCode.CREATED_MALFORMED, "5:16", LintSeverity.WARNING),
                found(with("- **Created**: 2026-02-30"), LintCode.CREATED_MALFORMED, "5:16", LintSeverity.WARNING),
                found(with("- **Created**: 03/04/2026"), LintCode.CREATED_FORM, "5:16", LintSeverity.WARNING),
                found(with("- **PR**: TBD"), LintCode.PR_PLACEHOLDER, "8:11", LintSeverity.NOTE),
                found(with("- **PR**: soon"), LintCode.PR_UNREADABLE, "8:11", LintSeverity.WARNING),
                found(with("- **Discussion**: TBD"), LintCode.DISCUSSION_MISSING, "9:19", LintSeverity.NOTE),
                found(
                        good.replace("- **Type", "- **Status**: Final\n- **Type"),
                        LintCode.FIELD_DUPLICATE,
                        "4:3",
                        LintSeverity.ERROR),
                found(
                        good.replace("- **Type", "- **\u0405tatus**: Final\n- **Type"),
                        LintCode.FIELD_DUPLICATE,
                        "4:3",
                        LintSeverity.ERROR),
                found(
                        good.replace("- **Type", "- **Type**: Process\n- **Type"),
                        LintCode.FIELD_DUPLICATE,
                        "5:3",
                        LintSeverity.WARNING),
                found(good.replace("## Abstract", "## Contents"), LintCode.SECTION_MISSING, "1:1", LintSeverity.ERROR),
                found(
                        good.replace("## Rationale", "## Thoughts"),
                        LintCode.SECTION_MISSING,
                        "19:1",
                        LintSeverity.WARNING),
                found(good.replace("Nothing breaks.", ""), LintCode.SECTION_EMPTY, "32:1", LintSeverity.WARNING),
                found(good.replace("Nothing breaks.", "TBD"), LintCode.SECTION_EMPTY, "32:1", LintSeverity.WARNING),
                found(
                        good.replace("Lists can be read page by page.", ""),
                        LintCode.SECTION_EMPTY,
                        "11:1",
                        LintSeverity.ERROR),
                found(good + "\n## Abstract\n\nAgain.\n", LintCode.SECTION_DUPLICATE, "44:1", LintSeverity.WARNING),
                found(
                        good.replace("## Rationale", "### Rationale"),
                        LintCode.SECTION_NESTED,
                        "28:1",
                        LintSeverity.NOTE),
                found(
                        good.replace(": Paging for every list", ": Title"),
                        LintCode.TEMPLATE_TEXT,
                        "1:1",
                        LintSeverity.ERROR),
                found(
                        good.replace("## Rationale", "##Rationale"),
                        LintCode.HEADING_SPACE,
                        "28:1",
                        LintSeverity.WARNING),
                found(with("- **Supersedes**: the old one"), LintCode.LINK_UNREADABLE, "3:19", LintSeverity.WARNING),
                found(with("- **Replaces**: SEP-42"), LintCode.LINK_SELF, "3:17", LintSeverity.ERROR));
    }

    private static Arguments found(String text, LintCode code, String place, LintSeverity severity) {
        return Arguments.of(code, text, place, severity);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void aMistakeIsFoundAndNothingElseIs(LintCode code, String text, String place, LintSeverity severity) {
        List<LintFinding> findings = lint(text);
        assertThat(findings).hasSize(1);
        LintFinding finding = findings.getFirst();
        assertThat(finding.code()).isEqualTo(code);
        assertThat(finding.line() + ":" + finding.column()).isEqualTo(place);
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.message()).isNotBlank();
        assertThat(finding.help()).isNotBlank();
    }

    @Test
    void everyCodeHasItsExample() {
        Set<LintCode> shown = EnumSet.noneOf(LintCode.class);
        examples().forEach(example -> shown.add((LintCode) example.get()[0]));
        // Only a file can have the first two of these. The others are tested below.
        shown.addAll(List.of(
                LintCode.NOT_UTF_8,
                LintCode.FILE_OUTSIDE,
                LintCode.NUMBER_PLACEHOLDER,
                LintCode.NUMBER_TAKEN,
                LintCode.FILE_UNNUMBERED,
                LintCode.STATUS_DIFFERS,
                LintCode.LINK_UNKNOWN,
                LintCode.LINK_ONE_SIDED,
                LintCode.LINK_CIRCULAR));
        assertThat(shown).containsExactlyInAnyOrder(LintCode.values());
    }

    @Test
    void anUnclosedTagIsNamedAndTheSectionsAfterItAreRead() {
        String good = DocumentFixtures.text("bullets");
        List<LintFinding> findings = lint(good.replace("## Motivation", "<style>\n\n## Motivation"));

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo(LintCode.HTML_TAG);
            assertThat(finding.message()).contains("<style>");
        });
        assertThat(lint(good + "\nUse `<script>` in code:\n\n```html\n<title>\n```\n"))
                .isEmpty();
        assertThat(lint(good + "\n<details>\n\nMore.\n\n</details>\n")).isEmpty();
    }

    @Test
    void whatIsNearIsOffered() {
        assertThat(lint(with("- **Status**: Darft")).getFirst().help()).isEqualTo("did you mean 'draft'?");
        assertThat(lint(with("- **Type**: Extension")).getFirst().help()).isEqualTo("did you mean 'Extensions Track'?");
        assertThat(lint(with("- **Created**: 4 March 2026")).getFirst().help()).isEqualTo("write 2026-03-04");
    }

    @Test
    void beforeThereIsANumberPlaceholdersAreWorthANote() {
        String text = DocumentFixtures.text("bullets").replace("SEP-42", "SEP-XXXX");
        assertThat(Linter.lint("0000-paging.md", DocumentFixtures.read(text), ALONE))
                .extracting(LintFinding::code, LintFinding::severity)
                .containsExactly(tuple(LintCode.NUMBER_PLACEHOLDER, LintSeverity.NOTE));
        assertThat(Linter.lint("0000-paging.md", DocumentFixtures.read(DocumentFixtures.text("bullets")), ALONE))
                .extracting(LintFinding::code, LintFinding::help)
                .containsExactly(tuple(LintCode.FILE_UNNUMBERED, "rename the file to 42-paging.md"));
    }

    private static List<LintFinding> lintWithLedgerState(String text, String state, boolean hasSponsor) {
        return Linter.lint(
                FILE,
                DocumentFixtures.read(text),
                ALONE.ledgerState(new LintContext.LedgerState(42, state, role -> hasSponsor)));
    }

    @Test
    void theLedgerSaysWhatTheStatusIs() {
        assertThat(lintWithLedgerState(DocumentFixtures.text("bullets"), "provisional", true))
                .extracting(LintFinding::code, LintFinding::message)
                .containsExactly(
                        tuple(LintCode.STATUS_DIFFERS, "the Status is 'Draft', but the ledger says provisional"));
        assertThat(lintWithLedgerState(DocumentFixtures.text("bullets"), "draft", true))
                .isEmpty();
    }

    @Test
    void aWordThatMeansTheStateIsNoDifference() {
        assertThat(lintWithLedgerState(with("- **Status**: Draft", "- **Sponsor**: None"), "proposal", false))
                .isEmpty();
        assertThat(lintWithLedgerState(with("- **Status**: Accepted with Changes"), "accepted", true))
                .isEmpty();
        assertThat(lintWithLedgerState(with("- **Status**: approved"), "accepted", true))
                .isEmpty();
        assertThat(lintWithLedgerState(with("- **Status**: IN-REVIEW"), "in-review", true))
                .isEmpty();
    }

    @Test
    void whatTheStateNeedsIsTheLedgersToSay() {
        String text = DocumentFixtures.text("bullets")
                .replace("## Rationale", "## Thoughts")
                .replace("Draft", "In-Review");
        assertThat(lintWithLedgerState(text, "in-review", true))
                .extracting(LintFinding::code, LintFinding::severity)
                .containsExactly(tuple(LintCode.SECTION_MISSING, LintSeverity.ERROR));
    }

    @Test
    void whereNothingCanComeOfItAMissingSectionIsNoMatter() {
        assertThat(lint(with("- **Status**: Rejected").replace("## Rationale", "## Thoughts")))
                .isEmpty();
    }

    private static Linter.Source source(int number, String... fields) {
        return new Linter.Source(
                number + "-x.md", DocumentFixtures.read(with(fields).replace("SEP-42", "SEP-" + number)));
    }

    @Test
    void linksLeadSomewhereAndAgreeInBothDirections() {
        assertThat(Linter.lintAll(
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
        return Linter.lintAll(List.of(sources), ALONE).stream()
                .map(finding -> finding.file() + " " + finding.code().wireName())
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
                .containsExactlyInAnyOrderElementsOf(Stream.of(LintCode.values())
                        .map(code -> code.wireName() + " " + code.severity().wireName())
                        .toList());
    }

    @Test
    void aProcessWithoutTypesAsksForNone() {
        ProcessDefinition bare = new ProcessDefinition(
                PROCESS.name(),
                PROCESS.title(),
                PROCESS.roles(),
                Map.of(),
                PROCESS.evidence(),
                PROCESS.facts(),
                PROCESS.states(),
                PROCESS.startMove(),
                PROCESS.moveDefinitions(),
                PROCESS.votes(),
                PROCESS.clockRules(),
                PROCESS.aliases(),
                PROCESS.permissions(),
                PROCESS.editorialRule(),
                PROCESS.reminderCoolDown(),
                PROCESS.digestRule(),
                PROCESS.documentFormat());
        LintContext context = new LintContext(bare, Optional.empty(), Optional.empty());
        assertThat(Linter.lint(FILE, DocumentFixtures.read(with("- **Type**: Poem")), context))
                .isEmpty();
    }
}
