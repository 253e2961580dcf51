package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of whole documents. */
class DocumentFormsTest {
    @ParameterizedTest
    @ValueSource(strings = {"bullets", "bold", "table", "front", "html", "plain"})
    void aPreambleSaysTheSameInEveryForm(String form) {
        says(Document.read(Documents.text(form)).outline());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bullets", "bold", "table", "front", "html", "plain", "bare"})
    void carriageReturnsAByteOrderMarkAndAMissingLastLineEndChangeNothing(String form) {
        String text = Documents.text(form);
        Outline outline = Document.read(text).outline();
        assertThat(Document.read(text.replace("\n", "\r\n")).outline()).isEqualTo(outline);
        assertThat(Document.read(text.replace("\n", "\r")).outline()).isEqualTo(outline);
        assertThat(Document.read("\uFEFF" + text).outline()).isEqualTo(outline);
        assertThat(Document.read(text.stripTrailing()).outline()).isEqualTo(outline);
        assertThat(Document.read(text.replace("- **", "-\t**")).outline()).isEqualTo(outline);
    }

    @Test
    void aPreambleNeedNotBeThere() {
        Outline outline = Document.read(Documents.text("bare")).outline();
        assertThat(outline.number()).hasValue(42);
        assertThat(outline.title()).isEqualTo("Paging for every list");
        assertThat(outline.status()).isEmpty();
        assertThat(outline.type()).isEmpty();
        assertThat(outline.authors()).isEmpty();
        assertThat(outline.sections()).hasSize(7);
    }

    private static void says(Outline outline) {
        assertThat(outline.number()).hasValue(42);
        assertThat(outline.title()).isEqualTo("Paging for every list");
        assertThat(outline.status()).hasValueSatisfying(word -> assertThat(word).isEqualToIgnoringCase("draft"));
        assertThat(outline.type()).contains("Standards Track");
        assertThat(outline.created()).contains("2026-03-01");
        assertThat(outline.authors()).extracting(Author::known).containsExactly("alice", "bob");
        assertThat(outline.authors().getFirst().name()).contains("Alice Archer");
        assertThat(outline.sponsor().map(Author::known)).contains("carol");
        assertThat(outline.pr()).hasValueSatisfying(pr -> assertThat(pr).endsWith("42"));
        assertThat(outline.discussion()).contains("https://example.org/project/discussions/7");
        assertThat(outline.sections()).containsExactlyInAnyOrderElementsOf(SectionName.format());
        assertThat(outline.summary())
                .isEqualTo(
                        "Paging for every list\nLists can be read page by page. Long lists do not fit into one answer.");
    }

    @Test
    void aTableMayAlsoLieOnItsSide() {
        Outline outline = Document.read("""
                # SEP-42: T

                | Status | Type | Author |
                |---|---|---|
                | Draft | Process | @alice |
                """).outline();
        assertThat(outline.status()).contains("Draft");
        assertThat(outline.type()).contains("Process");
        assertThat(outline.authors()).extracting(Author::known).containsExactly("alice");
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
        Outline outline = Document.read(heading + "\n\n## Abstract\n\nWords.\n").outline();
        assertThat(outline.title()).isEqualTo(title);
        assertThat(outline.number().isPresent() ? Optional.of(outline.number().getAsInt()) : Optional.empty())
                .isEqualTo(Optional.ofNullable(number));
    }

    @Test
    void aDocumentWithoutTitleHasNone() {
        assertThat(Document.read("## Abstract\n\nWords.\n").outline().title()).isEmpty();
        assertThat(Document.read("").outline().title()).isEmpty();
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
        assertThat(Document.read(Documents.with("- **Status**: " + written))
                        .outline()
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
        assertThat(Document.read(Documents.with("- **Sponsor**: " + written))
                        .outline()
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
        assertThat(Document.read(Documents.with("- **PR**: " + written))
                        .outline()
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
            Links links = Document.read(Documents.with("- **" + key + "**: " + written))
                    .outline()
                    .links();
            List<Integer> found = switch (key) {
                case "Supersedes" -> links.supersedes();
                case "Replaces" -> links.replaces();
                case "Requires" -> links.requires();
                default -> links.supersededBy();
            };
            assertThat(found).as(key).isEqualTo(expected);
        }
    }
}
