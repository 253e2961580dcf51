package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the forms of whole documents. */
class DocumentFormsTest {
    @ParameterizedTest
    @ValueSource(strings = {"bullets", "bold", "table", "front", "html", "plain"})
    void aPreambleSaysTheSameInEveryForm(String form) {
        assertMetadata(DocumentFixtures.read(DocumentFixtures.text(form)).metadata());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bullets", "bold", "table", "front", "html", "plain", "bare"})
    void carriageReturnsAByteOrderMarkAndAMissingLastLineEndChangeNothing(String form) {
        String text = DocumentFixtures.text(form);
        DocumentMetadata documentMetadata = DocumentFixtures.read(text).metadata();
        assertThat(DocumentFixtures.read(text.replace("\n", "\r\n")).metadata()).isEqualTo(documentMetadata);
        assertThat(DocumentFixtures.read(text.replace("\n", "\r")).metadata()).isEqualTo(documentMetadata);
        assertThat(DocumentFixtures.read("\uFEFF" + text).metadata()).isEqualTo(documentMetadata);
        assertThat(DocumentFixtures.read(text.stripTrailing()).metadata()).isEqualTo(documentMetadata);
        assertThat(DocumentFixtures.read(text.replace("- **", "-\t**")).metadata())
                .isEqualTo(documentMetadata);
    }

    @Test
    void aPreambleNeedNotBeThere() {
        DocumentMetadata documentMetadata =
                DocumentFixtures.read(DocumentFixtures.text("bare")).metadata();
        assertThat(documentMetadata.number()).hasValue(42);
        assertThat(documentMetadata.title()).isEqualTo("Paging for every list");
        assertThat(documentMetadata.status()).isEmpty();
        assertThat(documentMetadata.type()).isEmpty();
        assertThat(documentMetadata.authors()).isEmpty();
        assertThat(documentMetadata.sections()).hasSize(7);
    }

    private static void assertMetadata(DocumentMetadata documentMetadata) {
        assertThat(documentMetadata.number()).hasValue(42);
        assertThat(documentMetadata.title()).isEqualTo("Paging for every list");
        assertThat(documentMetadata.status())
                .hasValueSatisfying(word -> assertThat(word).isEqualToIgnoringCase("draft"));
        assertThat(documentMetadata.type()).contains("Standards Track");
        assertThat(documentMetadata.created()).contains("2026-03-01");
        assertThat(documentMetadata.authors()).extracting(Author::identifier).containsExactly("alice", "bob");
        assertThat(documentMetadata.authors().getFirst().name()).contains("Alice Archer");
        assertThat(documentMetadata.sponsor().map(Author::identifier)).contains("carol");
        assertThat(documentMetadata.pr())
                .hasValueSatisfying(pr -> assertThat(pr).endsWith("42"));
        assertThat(documentMetadata.discussion()).contains("https://example.org/project/discussions/7");
        assertThat(documentMetadata.sections())
                .containsExactlyInAnyOrderElementsOf(
                        DocumentFixtures.sectionNames().standardSlugs());
        assertThat(documentMetadata.summary())
                .isEqualTo(
                        "Paging for every list\nLists can be read page by page. Long lists do not fit into one answer.");
    }

    @Test
    void aTableMayAlsoLieOnItsSide() {
        DocumentMetadata documentMetadata = DocumentFixtures.read("""
                # SEP-42: T

                | Status | Type | Author |
                |---|---|---|
                | Draft | Process | @alice |
                """).metadata();
        assertThat(documentMetadata.status()).contains("Draft");
        assertThat(documentMetadata.type()).contains("Process");
        assertThat(documentMetadata.authors()).extracting(Author::identifier).containsExactly("alice");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', commentCharacter = '¤', textBlock = """
            # SEP-42: Paging                | 42 | Paging
            # SEP 42 Paging                 | 42 | Paging
            # SEP 42 – Paging               | 42 | Paging
            # SEP-42 Paging - now           | 42 | Paging - now
            # [SEP-42] Paging               | 42 | Paging
            # SEP #42: Paging               | 42 | Paging
            # sep-42: Paging                | 42 | Paging
            # **SEP-42: Paging**            | 42 | Paging
            # SEP-{42}: Paging              | 42 | Paging
            # SEP-XXXX: Paging              |    | Paging
            # SEP-NNNN: Paging              |    | Paging
            # SEP-{NUMBER}: Paging          |    | Paging
            # SEP-0000: Paging              |    | Paging
            # SEP[?]: Paging                |    | Paging
            # SEP-DRAFT: Paging             |    | Paging
            # SEP-TBD: Paging               |    | Paging
            # SEP-XXXX Paging               |    | Paging
            # SEP: Paging                   |    | Paging
            # Paging                        |    | Paging
            # SEP drafts are long           |    | SEP drafts are long
            # Paging of `_meta` \\_here     |    | Paging of _meta _here
            ## SEP-42: Paging               | 42 | Paging
            # SEP-99999999999: Paging       |    | SEP-99999999999: Paging
            """)
    void titlesAreReadInEveryForm(String heading, Integer number, String title) {
        DocumentMetadata documentMetadata =
                DocumentFixtures.read(heading + "\n\n## Abstract\n\nWords.\n").metadata();
        assertThat(documentMetadata.title()).isEqualTo(title);
        assertThat(
                        documentMetadata.number().isPresent()
                                ? Optional.of(documentMetadata.number().getAsInt())
                                : Optional.empty())
                .isEqualTo(Optional.ofNullable(number));
    }

    @Test
    void aDocumentWithoutTitleHasNone() {
        assertThat(DocumentFixtures.read("## Abstract\n\nWords.\n").metadata().title())
                .isEmpty();
        assertThat(DocumentFixtures.read("").metadata().title()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', commentCharacter = '¤', textBlock = """
            Draft                                | Draft
            draft                                | draft
            `In-Review`                          | In-Review
            **Final**                            | Final
            *Accepted with Changes*              | Accepted with Changes
            Draft (waits for a sponsor)          | Draft
            [Draft](https://example.org/states)  | Draft
            Draft <!-- for now -->               | Draft
            Draft.                               | Draft
            TBD                                  |
            _TBD_                                |
            ?                                    |
            """)
    void aStatusIsItsWord(String written, String word) {
        assertThat(DocumentFixtures.read(DocumentFixtures.withFields("- **Status**: " + written))
                        .metadata()
                        .status())
                .isEqualTo(Optional.ofNullable(word));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "None",
                "None (seeking sponsor)",
                "TBD",
                "_TBD_",
                "n/a",
                "",
                "unsponsored (seeking sponsor)",
                "None (Bob may take it)",
                "-",
                "**None**"
            })
    void aDocumentMaySayThatItHasNoSponsor(String written) {
        assertThat(DocumentFixtures.read(DocumentFixtures.withFields("- **Sponsor**: " + written))
                        .metadata()
                        .sponsor())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', commentCharacter = '¤', textBlock = """
            https://github.com/example/present/pull/42                | https://github.com/example/present/pull/42
            https://github.com/example/former/pull/42.                | https://github.com/example/former/pull/42
            #42                                                       | #42
            42                                                        | 42
            [#42](https://github.com/example/present/pull/42)         | https://github.com/example/present/pull/42
            <https://github.com/example/present/pull/42>              | https://github.com/example/present/pull/42
            https://github.com/example/present/pull/{42}              | https://github.com/example/present/pull/42
            https://github.com/example/present/pull/{NUMBER}          |
            https://github.com/example/present/pull/XXXX              |
            TBD                                                       |
            (to be filled in)                                         |
            """)
    void aPullRequestIsAnAddressANumberOrAPlaceholder(String written, String pr) {
        assertThat(DocumentFixtures.read(DocumentFixtures.withFields("- **PR**: " + written))
                        .metadata()
                        .pr())
                .isEqualTo(Optional.ofNullable(pr));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', commentCharacter = '¤', textBlock = """
            SEP-7                                 | 7
            [SEP-7](./7-other.md), SEP 8          | 7 8
            7, 8 and #9                           | 7 8 9
            RFC 2119, RFC 8174                    |
            None                                  |
            SEP-7, RFC 8174                       | 7
            """)
    void linksAreNumbersOfProposals(String written, String numbers) {
        List<Integer> expected = numbers == null
                ? List.of()
                : List.of(numbers.split(" ", -1)).stream().map(Integer::valueOf).toList();
        for (String key : List.of("Supersedes", "Replaces", "Requires", "Superseded-By")) {
            DeclaredSepRelations declaredSepRelations = DocumentFixtures.read(
                            DocumentFixtures.withFields("- **" + key + "**: " + written))
                    .metadata()
                    .declaredSepRelations();
            List<Integer> found = switch (key) {
                case "Supersedes" -> declaredSepRelations.supersedes();
                case "Replaces" -> declaredSepRelations.replaces();
                case "Requires" -> declaredSepRelations.requires();
                default -> declaredSepRelations.supersededBy();
            };
            assertThat(found).as(key).isEqualTo(expected);
        }
    }
}
