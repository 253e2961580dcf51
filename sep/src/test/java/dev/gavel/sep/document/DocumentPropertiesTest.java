package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.process.PreambleKey;
import dev.gavel.sep.lint.LintContext;
import dev.gavel.sep.lint.LintFinding;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.render.MarkdownRenderer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests properties that hold for every text. */
class DocumentPropertiesTest {
    private static final LintContext CONTEXT = LintContext.of(BuiltInProcesses.defaultProcess());

    /** Generates pieces of documents in any order, with neighbours that do not occur in real documents. */
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> pieces = Arbitraries.of(
                "# ",
                "## ",
                "SEP-42: ",
                "SEP-XXXX",
                "Abstract",
                "Motivation",
                "\n",
                "\n\n",
                "\r\n",
                "\r",
                "- ",
                "**",
                "Status",
                "**Status**",
                ": ",
                "Draft",
                "`",
                "```",
                "~~~",
                "| ",
                "|---|",
                "---\n",
                "status: ",
                "Author(s)",
                "@alice",
                "(@bob)",
                "Alice",
                ", ",
                " and ",
                "<!--",
                "-->",
                "<b>",
                "</b>",
                "<br>",
                "<h2>",
                "</h2>",
                "<pre>",
                "\uFEFF",
                "\t",
                "    ",
                "[",
                "](",
                ")",
                "{",
                "}",
                "\\",
                "_",
                "*",
                "&lt;",
                "&",
                "\u0000",
                "\uD83D",
                "é",
                "===",
                "Type",
                "Created",
                "2026-03-01",
                "PR",
                "#42",
                "Sponsor",
                "None",
                "TBD",
                "Requires",
                "SEP-7",
                "\"",
                "'",
                "https://example.org",
                "\u2028");
        Arbitrary<String> mixed = pieces.list().ofMaxSize(60).map(list -> String.join("", list));
        return Arbitraries.oneOf(mixed, Arbitraries.strings().ofMaxLength(300));
    }

    @Property(tries = 1000)
    void anyTextCanBeReadLintedAndDrawn(@ForAll("texts") String text) {
        Document document = DocumentFixtures.read(text);
        assertThat(document.text()).isEqualTo(text);
        assertThat(MarkdownRenderer.render(text).html()).doesNotContainIgnoringCase("<script", "<img", "<style");
        List<String> lines = List.of(text.split("\r\n|\r|\n", -1));
        for (LintFinding finding : Linter.lint("42-x.md", document, CONTEXT)) {
            assertThat(finding.line()).isBetween(1, lines.size());
            assertThat(finding.column())
                    .isBetween(1, lines.get(finding.line() - 1).length() + 1);
        }
    }

    @Property(tries = 500)
    void anyTextCanBeReadAsRestructuredText(@ForAll("texts") String text) {
        Document document = Document.read(text, DocumentFormatTest.PEP);
        assertThat(document.text()).isEqualTo(text);
        if (document.field(PreambleKey.STATUS).isPresent()) {
            String changed = document.withStatus("Final");
            assertThat(Document.read(changed, DocumentFormatTest.PEP).metadata().status())
                    .contains("Final");
        }
    }

    @Property(tries = 1000)
    void anotherStatusIsTheOnlyDifference(@ForAll("texts") String any) {
        // Which backticks form a pair depends on the text between them, and the edit may remove that text.
        String text = any.replace("`", "");
        Document document = DocumentFixtures.read(text);
        String changed = document.withStatus("Final");
        if (document.field(PreambleKey.STATUS).isEmpty()) {
            assertThat(changed).isEqualTo(text);
            return;
        }
        Document again = DocumentFixtures.read(changed);
        assertThat(again.metadata().status()).contains("Final");
        assertThat(again.withStatus("Final")).isEqualTo(changed);
        assertThat(again.metadata().authors()).isEqualTo(document.metadata().authors());
        assertThat(again.metadata().sections()).isEqualTo(document.metadata().sections());
        assertThat(again.metadata().title()).isEqualTo(document.metadata().title());
    }
}
