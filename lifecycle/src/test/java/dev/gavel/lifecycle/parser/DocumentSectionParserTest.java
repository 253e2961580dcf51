package dev.gavel.lifecycle.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.DocumentFormat.NumberSource;
import dev.gavel.lifecycle.process.DocumentFormat.PreambleForm;
import dev.gavel.lifecycle.process.DocumentFormat.SectionRule;
import dev.gavel.lifecycle.process.DocumentFormat.TitleSource;
import dev.gavel.lifecycle.process.PreambleKey;
import dev.gavel.yaml.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentSectionParserTest {
    private static ProcessParseResult parse(String section) throws IOException {
        return ProcessFileParser.parse(
                "garden.yaml", Files.readString(Path.of("src/test/resources/garden.yaml")) + section);
    }

    private static DocumentFormat format(String section) throws IOException {
        return switch (parse(section)) {
            case ProcessParseResult.Valid valid -> valid.processDefinition().documentFormat();
            case ProcessParseResult.Invalid invalid -> throw new AssertionError(invalid.problems());
        };
    }

    private static List<String> problems(String section) throws IOException {
        return switch (parse(section)) {
            case ProcessParseResult.Valid _ -> List.of();
            case ProcessParseResult.Invalid invalid ->
                invalid.problems().stream().map(FileProblem::message).toList();
        };
    }

    @Test
    void aProcessWithoutTheSectionHasTheDefaultFormat() throws IOException {
        DocumentFormat format = format("");
        assertThat(format.prefix()).isEqualTo("SEP");
        assertThat(format.numberLabel(12)).isEqualTo("SEP-12");
        assertThat(format.fileExtensions()).containsExactly("md");
        assertThat(format.fieldLabels(PreambleKey.NUMBER)).containsExactly("SEP", "SEP Number", "Number");
        assertThat(format.fieldLabel(PreambleKey.AUTHOR)).isEqualTo("Author(s)");
        assertThat(format.sections()).hasSize(7).extracting(SectionRule::name).contains("Backward Compatibility");
        assertThat(format.dates()).containsExactly("yyyy-MM-dd");
        assertThat(format.files().isDocument("seps/12-paging.md")).isTrue();
        assertThat(format.files().isDocument("seps/Readme.md")).isFalse();
    }

    @Test
    void aSectionWithEveryKeyIsRead() throws IOException {
        DocumentFormat format = format("""
                document:
                  prefix: KEP
                  label: "{prefix} {number}"
                  markup: restructured-text
                  files:
                    documents: ["keps/*/*/README.md"]
                    exclude: ["keps/*/*-template/README.md"]
                    side: {kep.yaml: preamble}
                  title: {from: [preamble, heading, file-name]}
                  number: {from: [title, file-name, directory, preamble: [kep-number, kep]]}
                  preamble:
                    forms: [front-matter, rfc822]
                    keys: {author: [Author, Authors], created: creation-date}
                  sections:
                    - {name: Summary, also: [Abstract, Simple Summary], needed: submission, hint: Say it.}
                    - {name: Design, needed: growing}
                    - {name: History, needed: no}
                    - Drawbacks
                  dates: [yyyy-MM-dd, dd-MMM-yyyy]
                  template: kep-template.md
                """);
        assertThat(format.numberLabel(12)).isEqualTo("KEP 12");
        assertThat(format.markup()).isEqualTo(DocumentFormat.Markup.RESTRUCTURED_TEXT);
        assertThat(format.files().isDocument("/home/a/keps/sig-node/12-x/README.md"))
                .isTrue();
        assertThat(format.files().isDocument("keps/sig-node/12-template/README.md"))
                .isFalse();
        assertThat(format.files().preambleFiles()).containsExactly("kep.yaml");
        assertThat(format.titleSources())
                .containsExactly(TitleSource.PREAMBLE, TitleSource.HEADING, TitleSource.FILE_NAME);
        assertThat(format.numberSources())
                .containsExactly(
                        NumberSource.TITLE, NumberSource.FILE_NAME, NumberSource.DIRECTORY, NumberSource.PREAMBLE);
        assertThat(format.fieldLabels(PreambleKey.NUMBER)).containsExactly("kep-number", "kep");
        assertThat(format.preamble().forms()).containsExactly(PreambleForm.FRONT_MATTER, PreambleForm.RFC822);
        assertThat(format.fieldLabels(PreambleKey.CREATED)).containsExactly("creation-date");
        assertThat(format.fieldLabels(PreambleKey.STATUS))
                .as("a key that the file leaves out")
                .containsExactly("Status");
        assertThat(format.sections())
                .extracting(SectionRule::name)
                .containsExactly("Summary", "Design", "History", "Drawbacks");
        assertThat(format.sections().get(0).neededFrom()).contains("idea");
        assertThat(format.sections().get(1).neededFrom()).contains("growing");
        assertThat(format.sections().get(2).optional()).isTrue();
        assertThat(format.template()).contains("kep-template.md");
    }

    @Test
    void everyMistakeIsReported() throws IOException {
        assertThat(problems("document: {prefix: '12!'}"))
                .containsExactly("'prefix' must be a word such as RFC, of at most 20 letters and digits, not '12!'");
        assertThat(problems("document: {preamble: {forms: [bulets]}}"))
                .containsExactly("unknown word 'bulets'. Did you mean 'bullets'?");
        assertThat(problems("document: {preamble: {keys: {autor: [Author]}}}"))
                .containsExactly("unknown key 'autor'. Did you mean 'author'?");
        assertThat(problems("document: {dates: [yyyy-bb]}"))
                .containsExactly("'yyyy-bb' is not the pattern of a date, such as yyyy-MM-dd");
        assertThat(problems("document: {sections: [{name: A, needed: growin}]}"))
                .containsExactly("there is no state 'growin'. Did you mean 'growing'?");
        assertThat(problems("document: {template: ../secret.md}"))
                .containsExactly(
                        "'template' must be the name of a file in the directory of the process file, not '../secret.md'");
        assertThat(problems("document: {files: ['../*.md']}"))
                .singleElement()
                .asString()
                .contains("without ..");
        assertThat(problems("document: {files: {documents: ['*.md'], side: {../kep.yaml: preamble}}}"))
                .singleElement()
                .asString()
                .contains("a file beside the document");
        assertThat(problems("document: {label: SEP}"))
                .singleElement()
                .asString()
                .contains("{number}");
    }
}
