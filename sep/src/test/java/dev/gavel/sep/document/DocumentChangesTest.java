package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentChangesTest {
    private static final String TEXT = """
            # SEP-7: Paging

            - **Status**: Draft
            - **Sponsor**: None

            ## Abstract

            Lists have pages.

            ## Rationale

            Cursors stay valid.

            ### Alternatives

            Page numbers.

            ## Reference Implementation

            To follow.
            """;

    private static DocumentChanges changes(String after) {
        return DocumentChanges.between(DocumentFixtures.read(TEXT), DocumentFixtures.read(after));
    }

    @Test
    void theSameTextHasNoChangesWhateverItsLineEnds() {
        assertThat(changes(TEXT).parts()).isEmpty();
        assertThat(changes(TEXT.replace("\n", "\r\n")).parts()).isEmpty();
    }

    @Test
    void aChangedSubsectionIsAChangeOfItsSection() {
        DocumentChanges changes = changes(TEXT.replace("Page numbers.", "Offsets."));
        assertThat(changes.sections()).containsExactly("rationale");
        assertThat(changes.fields()).isEmpty();
        assertThat(changes.parts().getFirst().before()).contains("Page numbers.");
        assertThat(changes.parts().getFirst().after()).contains("Offsets.");
    }

    @Test
    void changedFieldsAreNamedAndAreNoOtherChangeOfThePreamble() {
        assertThat(changes(TEXT.replace("Draft", "Final").replace("None", "@bob"))
                        .fields())
                .containsExactlyInAnyOrder("status", "sponsor");
        assertThat(changes(TEXT.replace("None\n", "None\n- **PR**: #12\n")).fields())
                .containsExactly("pr");
    }

    @Test
    void theTitleAndOtherTextOfThePreambleAreChanges() {
        assertThat(changes(TEXT.replace("Paging", "Streaming")).fields()).containsExactly("title");
        DocumentChanges changes = changes(TEXT.replace("## Abstract", "Read this first.\n\n## Abstract"));
        assertThat(changes.fields()).containsExactly("preamble");
        assertThat(changes.sections()).isEmpty();
    }

    @Test
    void removedAddedAndMovedSectionsAreChanges() {
        assertThat(changes(TEXT.replace("## Rationale", "Rationale")).sections())
                .containsExactlyInAnyOrder("abstract", "rationale");
        assertThat(changes(TEXT + "\n## Security Implications\n\nNone.\n").sections())
                .contains("security-implications");
        String moved = TEXT.substring(0, TEXT.indexOf("## Abstract"))
                + TEXT.substring(TEXT.indexOf("## Rationale"), TEXT.indexOf("## Reference"))
                + TEXT.substring(TEXT.indexOf("## Abstract"), TEXT.indexOf("## Rationale"))
                + TEXT.substring(TEXT.indexOf("## Reference"));
        assertThat(changes(moved).sections()).containsExactlyInAnyOrder("abstract", "rationale");
    }

    @Test
    void sectionsHiddenInACommentAreChanges() {
        String hidden =
                TEXT.replace("## Abstract", "<!--\n\n## Abstract").replace("## Reference", "-->\n\n## Reference");
        assertThat(changes(hidden).sections()).contains("abstract", "rationale");
        assertThat(changes(hidden).fields()).containsExactly("preamble");
    }

    @Test
    void aSubsectionWithTheNameOfAStandardSectionEndsBeforeTheNextSubsection() {
        String nested = TEXT.substring(0, TEXT.indexOf("## Reference"))
                + "### Reference Implementation\n\nTo follow.\n\n### Wire Format\n\nNumbers are decimal.\n";
        DocumentChanges changes = DocumentChanges.between(
                DocumentFixtures.read(nested), DocumentFixtures.read(nested.replace("decimal", "octal")));
        assertThat(changes.sections()).containsExactly("rationale");
        assertThat(DocumentChanges.between(
                                DocumentFixtures.read(nested), DocumentFixtures.read(nested.replace("To", "Will")))
                        .sections())
                .containsExactly("reference-implementation");
    }

    @Test
    void linkDefinitionsAreAChangeOfTheWholeDocument() {
        String before = TEXT + "\n[cursors]: https://example.org/cursors\n";
        DocumentChanges changes = DocumentChanges.between(
                DocumentFixtures.read(before), DocumentFixtures.read(before.replace("org/cursors", "org/offsets")));
        assertThat(changes.fields()).containsExactly("link-definitions");
        assertThat(changes.parts().getLast().after()).containsExactly("[cursors]: https://example.org/offsets ");
        assertThat(changes(TEXT + "\n> [Cursors\n> stay]:\n> /elsewhere\n").fields())
                .containsExactly("link-definitions");
        assertThat(changes(TEXT + "\n```\n[cursors]: /code\n```\n").fields()).isEmpty();
    }

    @Test
    void clearSectionsAreThoseThatReadersSee() {
        assertThat(changes(TEXT + "\nSee below.\n\n### Details\n\n```\n## No heading\n```\n")
                        .unclear())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Gavel sees no heading "Wire Format", because it takes the line before for the start of a code block.
                "text\n    ```\n## Wire Format\n\nNumbers are decimal.\n\n    ```\n",
                "Wire\nFormat\n---\n\nNumbers are decimal.\n",
                // Readers see no heading "Implementation".
                "- ```\n  ## Implementation\n  ```\n\nNumbers are decimal.\n",
                "<?\n## Implementation\n?>\n\nNumbers are decimal.\n",
                "<script>\n## Implementation\n</script>\n\nNumbers are decimal.\n",
                "##Implementation\n\nNumbers are decimal.\n",
                "- first\n\n  ## Implementation\n\nNumbers are decimal.\n"
            })
    void sectionsThatReadersSeeElsewhereAreUnclear(String end) {
        assertThat(changes(TEXT + "\n" + end).unclear()).isTrue();
        assertThat(DocumentChanges.between(DocumentFixtures.read(TEXT + "\n" + end), DocumentFixtures.read(TEXT))
                        .unclear())
                .isTrue();
    }

    @Test
    void manySectionsOnManyLinesAreComparedInAShortTime() {
        StringBuilder text = new StringBuilder(TEXT);
        for (int i = 0; i < 9_900; i++) {
            text.append("## s").append(i).append('\n');
        }
        text.append("\n".repeat(900_000));
        Document before = DocumentFixtures.read(text.toString());
        Document after = DocumentFixtures.read(text + "The end.\n");
        assertThat(before.sections()).hasSizeGreaterThan(9_900);
        DocumentChanges changes = assertTimeout(Duration.ofSeconds(5), () -> DocumentChanges.between(before, after));
        assertThat(changes.sections()).containsExactly("s9899");
    }
}
