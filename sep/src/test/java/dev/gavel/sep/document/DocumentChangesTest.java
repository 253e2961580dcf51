package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
