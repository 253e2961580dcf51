package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScaffoldTest {
    @Test
    void aNewDocumentHasEveryPartOfTheFormatAndWhatIsNotWrittenDoesNotCount() {
        Document document = Document.read(Scaffold.text(
                "Paging for\nevery list",
                List.of("Alice Archer (@alice)", "@bob"),
                Optional.of("Process"),
                "Draft",
                LocalDate.of(2026, 3, 1)));
        Outline outline = document.outline();
        assertThat(outline.title()).isEqualTo("Paging for every list");
        assertThat(outline.number()).isEmpty();
        assertThat(outline.status()).contains("Draft");
        assertThat(outline.type()).contains("Process");
        assertThat(outline.created()).contains("2026-03-01");
        assertThat(outline.authors()).extracting(Author::known).containsExactly("alice", "bob");
        assertThat(outline.sponsor()).isEmpty();
        assertThat(document.sections()).extracting(Section::slug).containsExactlyElementsOf(SectionName.format());
        assertThat(outline.sections()).containsExactlyInAnyOrder("abstract", "motivation", "reference-implementation");
    }

    @Test
    void itsFileIsCalledAfterItsTitle() {
        assertThat(Scaffold.file("Paging, for every list!")).isEqualTo("0000-paging-for-every-list.md");
        assertThat(Scaffold.file("../../etc/passwd")).isEqualTo("0000-etc-passwd.md");
        assertThat(Scaffold.file("???")).isEqualTo("0000-section.md");
    }
}
