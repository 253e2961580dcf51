package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.sep.lint.Finding;
import dev.gavel.sep.lint.LintContext;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.process.Processes;
import dev.gavel.sep.render.Renderer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds of any text at all. */
class DocumentPropertiesTest {
    private static final LintContext CONTEXT = LintContext.of(Processes.usual());

    /** Pieces of documents in any order: where things meet that nobody would write beside each other. */
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
        Document document = Document.read(text);
        assertThat(document.text()).isEqualTo(text);
        assertThat(Renderer.render(text).html()).doesNotContainIgnoringCase("<script", "<img", "<style");
        List<String> lines = List.of(text.split("\r\n|\r|\n", -1));
        for (Finding finding : Linter.lint("42-x.md", document, CONTEXT)) {
            assertThat(finding.line()).isBetween(1, lines.size());
            assertThat(finding.column())
                    .isBetween(1, lines.get(finding.line() - 1).length() + 1);
        }
    }

    @Property(tries = 1000)
    void anotherStatusIsTheOnlyDifference(@ForAll("texts") String any) {
        // Where backticks pair up depends on what stands between them, which the edit may take away.
        String text = any.replace("`", "");
        Document document = Document.read(text);
        String changed = document.withStatus("Final");
        if (document.field(Key.STATUS).isEmpty()) {
            assertThat(changed).isEqualTo(text);
            return;
        }
        Document again = Document.read(changed);
        assertThat(again.outline().status()).contains("Final");
        assertThat(again.withStatus("Final")).isEqualTo(changed);
        assertThat(again.outline().authors()).isEqualTo(document.outline().authors());
        assertThat(again.outline().sections()).isEqualTo(document.outline().sections());
        assertThat(again.outline().title()).isEqualTo(document.outline().title());
    }
}
