package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that replacing the status leaves all other text unchanged. */
class WithStatusTest {
    @ParameterizedTest
    @ValueSource(strings = {"bullets", "bold", "table", "front", "html", "plain"})
    void onlyTheWordChanges(String form) {
        String text = DocumentFixtures.text(form);
        for (String line : List.of("\n", "\r\n", "\r")) {
            String written = text.replace("\n", line);
            String word = form.equals("table") ? "draft" : "Draft";
            // The first occurrence of the word is the status.
            String expected = written.replaceFirst("\\b" + word + "\\b", "In-Review");
            Document document = DocumentFixtures.read(written);
            assertThat(document.withStatus("In-Review")).isEqualTo(expected);
            assertThat(document.withStatus(word)).isEqualTo(written);
            assertThat(DocumentFixtures.read(expected).metadata().status()).contains("In-Review");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', textBlock = """
            - **Status**: Draft                            | - **Status**: Final
            - **Status**: `Draft`                          | - **Status**: `Final`
            - **Status**: **Accepted** with Changes        | - **Status**: Final
            - **Status:** TBD                              | - **Status:** Final
            - **Status**:                                  | - **Status**: Final
            * Status: [Draft](https://example.org)         | * Status: [Final](https://example.org)
            - **Status**: Draft <!-- for now -->           | - **Status**: Final <!-- for now -->
            - **Status**: Draft (seeking sponsor)          | - **Status**: Final
            __Status__: Draft                              | __Status__: Final
            """)
    void theStyleStays(String before, String after) {
        String rest = "\n\n## Abstract\n\nWords.\n";
        assertThat(DocumentFixtures.read("# T\n\n" + before + rest).withStatus("Final"))
                .isEqualTo("# T\n\n" + after + rest);
    }

    @Test
    void tablesAndFrontMatterKeepTheirs() {
        assertThat(DocumentFixtures.read("# T\n\n| Status | Draft   |\n|---|---|\n")
                        .withStatus("In|Review"))
                .isEqualTo("# T\n\n| Status | In\\|Review   |\n|---|---|\n");
        assertThat(DocumentFixtures.read("---\nstatus: 'Draft' # now\n---\n# T\n")
                        .withStatus("Final"))
                .isEqualTo("---\nstatus: 'Final' # now\n---\n# T\n");
        assertThat(DocumentFixtures.read("---\nstatus: Draft\n---\n# T\n").withStatus("a: b"))
                .isEqualTo("---\nstatus: \"a: b\"\n---\n# T\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div title=\"\n- **Status**: Draft\n\">\n</div>\n\n- **Status**: Draft",
                "<details>\n\n- **Status**: Draft\n\n</details>\n\n- **Status**: Draft",
                "[x]: /url \"\nStatus: Draft\n\"\n\n- **Status**: Draft",
                "- **&#83;tatus**: Draft",
                "- **\u0405tatus**: Draft",
                "- **Sta\u200btus**: Draft",
                "- **S<b>tatus</b>**: Draft",
                "\uFF33tatus: Draft",
                "\u0455\u03c4\u0430\u03c4\u03c5\u0455: Draft",
                "Status\uFF1A Draft",
            })
    void eachFieldThatReadsAsStatusChanges(String preamble) {
        String text = "# T\n\n" + preamble + "\n\n## Abstract\n\nDraft words.\n";
        assertThat(DocumentFixtures.read(text).withStatus("Final"))
                .isEqualTo(text.replace("Draft", "Final").replace("Final words", "Draft words"));
        assertThat(DocumentFixtures.read(text).withStatus("Final", "Draft"::equals))
                .isEqualTo(text);
    }

    @Test
    void eachFieldThatReadsAsSponsorChanges() {
        String text = "# T\n\n- **Sponsor**: @bob\n- **Sp\u043ensor**: @eve\n- **Sponsor**: None\n";
        Document document = DocumentFixtures.read(text);
        assertThat(document.withSponsor(
                        "@bob",
                        declared -> declared.flatMap(Author::handle)
                                .filter("bob"::equals)
                                .isPresent()))
                .isEqualTo(text.replace("@eve", "@bob").replace("None", "@bob"));
    }

    @Test
    void whereThereIsNoStatusLineNothingChanges() {
        String text = DocumentFixtures.text("bare");
        assertThat(DocumentFixtures.read(text).withStatus("Final")).isEqualTo(text);
    }

    @Test
    void aWordIsOneLine() {
        assertThat(DocumentFixtures.read("# T\n\n- **Status**: Draft\n").withStatus("Final\n- **Type**: Process"))
                .isEqualTo("# T\n\n- **Status**: Final - **Type**: Process\n");
    }
}
