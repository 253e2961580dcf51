package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.lint.LintCode;
import dev.gavel.sep.lint.LintContext;
import dev.gavel.sep.lint.LintFinding;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.process.BuiltInProcesses;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests documents in formats other than the default one. */
class DocumentFormatTest {
    private static final String HEADER_DOCUMENT = """
            PEP: 812
            Title: A rather long title of
                   a proposal
            Author: Alice Archer <alice at example.org>,
                    Bob Baker <bob@example.org>
            Status: Draft
            Type: Standards Track
            Created: 09-Jan-2026

            Abstract
            ========

            What changes::

                Motivation
                ==========

            .. Rationale is a comment
               Rationale
               =========

            Motivation
            ==========

            Why it changes.

            Details
            -------

            Something.
            """;

    private static ProcessDefinition process(String section) {
        String yaml = BuiltInProcesses.yaml(BuiltInProcesses.DEFAULT_NAME).orElseThrow();
        return switch (ProcessFileParser.parse("own.yaml", yaml + "\n" + section)) {
            case ProcessParseResult.Valid valid -> valid.processDefinition();
            case ProcessParseResult.Invalid invalid -> throw new AssertionError(invalid.problems());
        };
    }

    private static DocumentFormat format(String section) {
        return process(section).documentFormat();
    }

    static final DocumentFormat PEP = format("""
            document:
              prefix: PEP
              label: "PEP {number}"
              markup: restructured-text
              files: ["peps/pep-*.rst"]
              title: {from: [preamble]}
              number: {from: [preamble: PEP, file-name]}
              preamble: {forms: [rfc822]}
              dates: [dd-MMM-yyyy, yyyy-MM-dd]
            """);

    private static final DocumentFormat EIP = format("""
            document:
              prefix: EIP
              files: ["EIPS/eip-*.md"]
              title: {from: [preamble]}
              number: {from: [preamble: eip, file-name]}
              preamble: {forms: [front-matter]}
              sections: [{name: Summary, also: [Abstract, Simple Summary], needed: submission}, Motivation]
            """);

    @Test
    void aHeaderAndUnderlinedHeadingsAreRead() {
        Document document = Document.read(HEADER_DOCUMENT, PEP, DocumentFile.of("peps/pep-0812.rst"));
        DocumentMetadata metadata = document.metadata();
        assertThat(metadata.number()).hasValue(812);
        assertThat(metadata.title()).isEqualTo("A rather long title of a proposal");
        assertThat(metadata.status()).contains("Draft");
        assertThat(metadata.created()).contains("09-Jan-2026");
        assertThat(metadata.authors()).extracting(Author::identifier).containsExactly("Alice Archer", "Bob Baker");
        assertThat(document.sections())
                .extracting(DocumentSection::heading)
                .as("without code, comments and nested sections")
                .containsExactly("Abstract", "Motivation");
        assertThat(metadata.sections()).containsExactlyInAnyOrder("abstract", "motivation");
        assertThat(document.withStatus("Final")).isEqualTo(HEADER_DOCUMENT.replace("Status: Draft", "Status: Final"));
    }

    @Test
    void theNumberComesFromThePreambleOrTheFileName() {
        String text = "---\neip: 12\ntitle: Gas\nstatus: Draft\n---\n\n## Simple Summary\n\nWords.\n";
        assertThat(Document.read(text, EIP).metadata().number()).hasValue(12);
        assertThat(Document.read(text, EIP).metadata().title()).isEqualTo("Gas");
        assertThat(Document.read(text.replace("eip: 12\n", ""), EIP, DocumentFile.of("EIPS/eip-13.md"))
                        .metadata()
                        .number())
                .hasValue(13);
        assertThat(Document.read(text, format("document: {number: {from: [file-name]}}"), DocumentFile.of("7-x.md"))
                        .metadata()
                        .number())
                .hasValue(7);
    }

    @Test
    void theNumberComesFromTheDirectoryAndThePreambleFromTheFileBesideTheDocument() {
        DocumentFormat kep = format("""
                document:
                  prefix: KEP
                  files: {documents: ["keps/*/*/README.md"], side: {kep.yaml: preamble}}
                  title: {from: [preamble, heading]}
                  number: {from: [preamble: kep-number, directory]}
                  preamble: {forms: [front-matter], keys: {author: [authors], created: creation-date}}
                """);
        String text = "# KEP-12: Old title\n\n## Summary\n\nWords.\n";
        String yaml = """
                title: Pods that wait
                kep-number: 12
                authors:
                  - "@alice"
                  - "@bob"
                status: provisional
                creation-date: 2026-01-02
                """;
        Document document =
                Document.read(text, kep, new DocumentFile("keps/sig-node/12-pods-that-wait/README.md", List.of(yaml)));
        assertThat(document.metadata().number()).hasValue(12);
        assertThat(document.metadata().title()).isEqualTo("Pods that wait");
        assertThat(document.metadata().status()).contains("provisional");
        assertThat(document.metadata().created()).contains("2026-01-02");
        assertThat(document.metadata().authors()).extracting(Author::identifier).containsExactly("alice", "bob");
        assertThat(document.withStatus("final"))
                .as("the status is in another file")
                .isEqualTo(text);
        assertThat(Document.read(text, kep, DocumentFile.of("keps/sig-node/34-pods/README.md"))
                        .metadata()
                        .number())
                .hasValue(34);
    }

    @Test
    void onlyTheFormsOfTheFormatAreFields() {
        String text = "# T\n\n- **Status**: Draft\n\n**Type**: Process\n\n| Created | 2026-01-02 |\n";
        DocumentFormat bullets = format("document: {preamble: {forms: [bullets]}}");
        assertThat(Document.read(text, bullets).fields())
                .extracting(PreambleField::label)
                .containsExactly("Status");
        DocumentFormat others = format("document: {preamble: {forms: [bold, table]}}");
        assertThat(Document.read(text, others).fields())
                .extracting(PreambleField::label)
                .containsExactly("Type", "Created");
    }

    @Test
    void aRustRfcHasTheNumberAndTheTitleInItsFileName() {
        DocumentFormat rfc = format("""
                document:
                  prefix: RFC
                  number: {from: [file-name]}
                  title: {from: [preamble, file-name]}
                  preamble:
                    forms: [bullets]
                    keys: {title: [Feature Name], created: [Start Date], pr: [RFC PR]}
                """);
        String text = "- Feature Name: `open_doors`\n- Start Date: 2026-01-02\n- RFC PR: "
                + "[example/rfcs#41](https://example.org/rfcs/pull/41)\n\n# Summary\n\nWords.\n";
        DocumentMetadata metadata = Document.read(text, rfc, DocumentFile.of("text/0041-open-doors.md"))
                .metadata();
        assertThat(metadata.number()).hasValue(41);
        assertThat(metadata.title()).isEqualTo("open_doors");
        assertThat(metadata.created()).contains("2026-01-02");
        assertThat(metadata.pr()).contains("https://example.org/rfcs/pull/41");
        assertThat(Document.read("# Summary\n\nWords.\n", rfc, DocumentFile.of("text/0042-more-doors.md"))
                        .metadata()
                        .title())
                .isEqualTo("more doors");
    }

    @Test
    void aSynonymMeansTheSectionOfTheFormat() {
        SectionNames names = SectionNames.of(EIP);
        assertThat(names.slug("Simple Summary")).isEqualTo("summary");
        assertThat(names.standardSlug("abstract")).isEqualTo("summary");
        assertThat(names.title("summary")).isEqualTo("Summary");
        assertThat(names.standardSlugs()).containsExactly("summary", "motivation");
    }

    @Test
    void lintSpeaksOfTheFormat() {
        ProcessDefinition process = process("document: {prefix: EIP, title: {from: [preamble]}, number: {from:"
                + " [preamble: eip, file-name]}, preamble: {forms: [front-matter]}, sections: [{name: Purpose, needed:"
                + " submission}, {name: Cost, needed: in-review}]}");
        List<LintFinding> findings = Linter.lint(
                "EIPS/eip-13.md",
                Document.read("---\neip: 12\ntitle: Gas\nstatus: Draft\n---\n\nWords.\n", process.documentFormat()),
                LintContext.of(process));
        assertThat(findings)
                .filteredOn(finding -> finding.code() == LintCode.NUMBER_DIFFERS)
                .extracting(LintFinding::message)
                .containsExactly("the preamble says EIP-12, but the file name says 13");
        assertThat(findings)
                .filteredOn(finding -> finding.code() == LintCode.SECTION_MISSING)
                .extracting(LintFinding::message)
                .contains(
                        "the section Purpose is missing; the state proposal requires it",
                        "the section Cost is missing; it is required from the state in-review on");
        assertThat(findings).extracting(LintFinding::help).contains("add a line 'Created: YYYY-MM-DD'");
    }

    @Test
    void aNewDocumentHasTheFormatOfItsProcess() {
        LocalDate day = LocalDate.of(2026, 1, 9);
        String pep = DocumentTemplate.render(
                PEP, "Open doors", List.of("Alice (@alice)"), Optional.of("Process"), "Draft", day);
        assertThat(pep)
                .startsWith("PEP: 0000\nTitle: Open doors\nStatus: Draft\nType: Process\nCreated: 09-Jan-2026\n")
                .contains("\nAbstract\n========\n");
        assertThat(DocumentTemplate.fileName(PEP, "Open doors")).isEqualTo("pep-0000-open-doors.rst");
        Document read = Document.read(pep, PEP);
        assertThat(read.metadata().title()).isEqualTo("Open doors");
        assertThat(read.metadata().sections())
                .as("hints do not count as content")
                .containsOnly("reference-implementation");
        assertThat(DocumentTemplate.render(
                        PEP.templateText("PEP {number}: {title} by {author}, {created}, {status}"),
                        "Doors",
                        List.of(),
                        Optional.empty(),
                        "Draft",
                        day))
                .isEqualTo("PEP 0000: Doors by TBD, 09-Jan-2026, Draft");
    }
}
