package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.sep.process.BuiltInProcesses;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DocumentTemplateTest {
    private static final DocumentFormat FORMAT =
            BuiltInProcesses.defaultProcess().documentFormat();

    @Test
    void aNewDocumentHasEveryPartOfTheFormatAndWhatIsNotWrittenDoesNotCount() {
        Document document = DocumentFixtures.read(DocumentTemplate.render(
                FORMAT,
                "Paging for\nevery list",
                List.of("Alice Archer (@alice)", "@bob"),
                Optional.of("Process"),
                "Draft",
                LocalDate.of(2026, 3, 1)));
        DocumentMetadata documentMetadata = document.metadata();
        assertThat(documentMetadata.title()).isEqualTo("Paging for every list");
        assertThat(documentMetadata.number()).isEmpty();
        assertThat(documentMetadata.status()).contains("Draft");
        assertThat(documentMetadata.type()).contains("Process");
        assertThat(documentMetadata.created()).contains("2026-03-01");
        assertThat(documentMetadata.authors()).extracting(Author::identifier).containsExactly("alice", "bob");
        assertThat(documentMetadata.sponsor()).isEmpty();
        assertThat(document.sections())
                .extracting(DocumentSection::slug)
                .containsExactlyElementsOf(DocumentFixtures.sectionNames().standardSlugs());
        assertThat(documentMetadata.sections()).containsExactly("reference-implementation");
    }

    @Test
    void itsFileIsCalledAfterItsTitle() {
        assertThat(DocumentTemplate.fileName(FORMAT, "Paging, for every list!"))
                .isEqualTo("0000-paging-for-every-list.md");
        assertThat(DocumentTemplate.fileName(FORMAT, "../../etc/passwd")).isEqualTo("0000-etc-passwd.md");
        assertThat(DocumentTemplate.fileName(FORMAT, "???")).isEqualTo("0000-section.md");
    }
}
