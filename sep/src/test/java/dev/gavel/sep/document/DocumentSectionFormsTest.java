package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which sections a document has. */
class DocumentSectionFormsTest {
    private static DocumentMetadata outline(String body) {
        return DocumentFixtures.read("# SEP-42: T\n\n" + body).metadata();
    }

    @ParameterizedTest
    @CsvSource({
        "Abstract, abstract",
        "Summary, abstract",
        "ABSTRACT, abstract",
        "1. Abstract, abstract",
        "**Abstract**, abstract",
        "Abstract:, abstract",
        "Problem Statement, motivation",
        "Background and Motivation, motivation",
        "Technical Specification, specification",
        "Design Rationale, rationale",
        "Rationale and Alternatives, rationale",
        "Backwards Compatibility, backward-compatibility",
        "Backward compatibility, backward-compatibility",
        "Compatibility, backward-compatibility",
        "Transition and Backwards Compatibility, backward-compatibility",
        "Security Considerations, security-implications",
        "Security, security-implications",
        "Security & Privacy, security-implications",
        "Security of our pages, security-of-our-pages",
        "Reference Implementations, reference-implementation",
        "Prototype, reference-implementation",
        "Reference implementation {#code}, reference-implementation",
        "Open Questions, open-questions",
        "What's next?, whats-next",
    })
    void headingsThatMeanTheSameAreTheSame(String heading, String slug) {
        assertThat(outline("## Abstract\n\nWords.\n\n## " + heading + "\n\nWords.\n")
                        .sections())
                .contains(slug);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# %s",
                "## %s",
                "### %s",
                "## %s ##",
                "   ## %s",
                "<h2>%s</h2>",
                "<H3 align=\"left\">%s</H3>",
                "%s\n---"
            })
    void headingsAreOfAnyFormAndLevel(String form) {
        String body = form.formatted("Abstract") + "\n\nWords.\n\n" + form.formatted("Motivation") + "\n\nWords.\n";
        assertThat(outline(body).sections()).containsExactlyInAnyOrder("abstract", "motivation");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "```\n## Motivation\n\nWords.\n```\n",
                "~~~~ md\n~~~\n## Motivation\n\nWords.\n~~~~\n",
                "    ## Motivation\n\n    Words.\n",
                "- item\n\n  ```\n## Motivation\n",
                "<!--\n## Motivation\n\nWords.\n-->\n",
                "<pre>\n## Motivation\n\nWords.\n</pre>\n",
                "> ## Motivation\n>\n> Words.\n",
                "#Motivation\n\nWords.\n",
            })
    void whatOnlyLooksLikeAHeadingIsNone(String body) {
        boolean ended = body.startsWith("- item");
        // The end of a list item also ends the code block in it, so the next line is a heading.
        assertThat(outline("## Abstract\n\nWords.\n\n" + body + "\nWords.\n").sections())
                .containsExactlyInAnyOrder(ended ? new String[] {"abstract", "motivation"} : new String[] {"abstract"});
    }

    @Test
    void codeWithinAListItemIsCode() {
        assertThat(outline("## Abstract\n\n1. one\n\n   ```sh\n   # Motivation\n   ```\n\n## Rationale\n\nWords.\n")
                        .sections())
                .containsExactlyInAnyOrder("abstract", "rationale");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\n\n", "TBD", "TODO.", "_To be written._", "<!-- words -->", "### Only a heading", "---"})
    void aSectionWithNothingInItIsNotThere(String body) {
        assertThat(outline("## Abstract\n\n" + body + "\n\n## Motivation\n\nWords.\n")
                        .sections())
                .containsExactly("motivation");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"None.", "N/A", "```\ncode\n```", "| a |\n|---|", "### A heading\n\nWords.", "TBD\n\nBut this."})
    void aSectionWithAnythingInItIsThere(String body) {
        assertThat(outline("## Abstract\n\n" + body + "\n\n## Motivation\n\nWords.\n")
                        .sections())
                .containsExactlyInAnyOrder("abstract", "motivation");
    }

    @Test
    void aSectionThatSlippedIntoAnotherIsStillThere() {
        Document document = DocumentFixtures.read("# T\n\n## Abstract\n\nWords.\n\n### Motivation\n\nWords.\n");
        assertThat(document.metadata().sections()).containsExactlyInAnyOrder("abstract", "motivation");
        assertThat(document.sections()).extracting(DocumentSection::nested).containsExactly(false, true);
    }

    @Test
    void aSummaryIsBounded() {
        String long_ = "## Abstract\n\n" + "many words ".repeat(2_000) + "\n";
        assertThat(outline(long_).summary()).hasSizeBetween(7_990, 8_000).startsWith("T\nmany words");
    }

    @Test
    void whatIsTooLongIsReadToItsLimit() {
        String text = "# SEP-42: T\n\n- **Status**: Draft\n\n## Abstract\n\n" + "x".repeat(Document.MAX_LENGTH)
                + "\n\n## Motivation\n\nx\n";
        Document document = DocumentFixtures.read(text);
        assertThat(document.isTooLong()).isTrue();
        assertThat(document.metadata().sections()).containsExactly("abstract");
        assertThat(document.withStatus("Final")).isEqualTo(text.replace("Draft", "Final"));
    }
}
