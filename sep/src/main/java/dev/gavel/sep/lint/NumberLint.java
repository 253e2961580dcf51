package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.DocumentFormat.NumberSource;
import dev.gavel.lifecycle.process.PreambleKey;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentFileName;
import dev.gavel.sep.document.DocumentTemplate;
import dev.gavel.sep.document.DocumentTitle;
import java.util.Optional;
import java.util.OptionalInt;

/** Checks that title, file name, preamble and ledger agree on a document's number. Not thread-safe. */
final class NumberLint {
    private final Document document;
    private final DocumentFormat format;
    private final Optional<DocumentFileName> name;
    private final LintContext context;
    private final LintFindingCollector lintFindingCollector;

    NumberLint(
            Document document,
            Optional<DocumentFileName> name,
            LintContext context,
            LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.format = document.format();
        this.name = name;
        this.context = context;
        this.lintFindingCollector = lintFindingCollector;
    }

    void lint() {
        if (document.metadata().title().isEmpty()) {
            lintFindingCollector.add(
                    LintCode.TITLE_MISSING,
                    lintFindingCollector.titleOrStart(),
                    "the title is missing",
                    "start the document with a heading such as '# " + format.numberLabel("0000") + ": A short title'");
        }
        OptionalInt written = document.statedNumber();
        OptionalInt expectedNumber = context.number().isPresent()
                ? context.number()
                : name.map(DocumentFileName::number).orElse(OptionalInt.empty());
        if (written.isEmpty()) {
            unnumbered(expectedNumber);
        } else if (expectedNumber.isPresent() && expectedNumber.getAsInt() != written.getAsInt()) {
            lintFindingCollector.add(
                    LintCode.NUMBER_DIFFERS,
                    lintFindingCollector.titleOrStart(),
                    stated() + " says " + format.numberLabel(written.getAsInt()) + ", but " + expectedIn() + " says "
                            + expectedNumber.getAsInt(),
                    "write " + format.numberLabel(expectedNumber.getAsInt()) + " in " + stated()
                            + ", or rename the file");
        } else if (expectedNumber.isEmpty()
                && name.filter(DocumentFileName::placeholder).isPresent()) {
            lintFindingCollector.add(
                    LintCode.FILE_UNNUMBERED,
                    lintFindingCollector.titleOrStart(),
                    stated() + " says " + format.numberLabel(written.getAsInt())
                            + ", but the file name has no number yet",
                    "rename the file to " + written.getAsInt() + "-"
                            + name.orElseThrow().rest());
        }
        comparePreamble(written);
    }

    /** Returns where the number stands that takes precedence in the document. */
    private String stated() {
        boolean inTitle = format.numberSources().contains(NumberSource.TITLE)
                && document.title()
                        .filter(title -> title.number().equals(document.statedNumber()))
                        .isPresent();
        return inTitle ? "the title" : "the preamble";
    }

    private String expectedIn() {
        if (context.number().isPresent()) {
            return "the ledger";
        }
        return format.numberSources().contains(NumberSource.FILE_NAME) ? "the file name" : "the directory";
    }

    private void unnumbered(OptionalInt expectedNumber) {
        Optional<String> placeholder = document.title().flatMap(DocumentTitle::placeholder);
        if (document.metadata().title().isEmpty() || format.numberSources().isEmpty()) {
            return;
        }
        NumberSource first = format.numberSources().getFirst();
        if (expectedNumber.isPresent() && first == NumberSource.TITLE) {
            lintFindingCollector.add(
                    LintCode.NUMBER_MISSING,
                    lintFindingCollector.titleOrStart(),
                    "the title has no number, but " + expectedIn() + " says " + expectedNumber.getAsInt(),
                    "start the title with '" + format.numberLabel(expectedNumber.getAsInt()) + ":'");
        } else if (expectedNumber.isPresent() && first == NumberSource.PREAMBLE) {
            lintFindingCollector.add(
                    LintCode.NUMBER_MISSING,
                    lintFindingCollector.preambleStart(),
                    "the preamble has no number, but " + expectedIn() + " says " + expectedNumber.getAsInt(),
                    "add a line '"
                            + DocumentTemplate.fieldLine(
                                    format, PreambleKey.NUMBER, Integer.toString(expectedNumber.getAsInt()))
                            + "'");
        } else if (expectedNumber.isEmpty() && placeholder.isPresent()) {
            lintFindingCollector.add(
                    LintCode.NUMBER_PLACEHOLDER,
                    lintFindingCollector.titleOrStart(),
                    LintFindingCollector.quote(placeholder.get()) + " is a placeholder for the number",
                    "keep it until the " + format.prefix() + " is submitted and has a number");
        }
    }

    private void comparePreamble(OptionalInt written) {
        document.field(PreambleKey.NUMBER).ifPresent(field -> {
            String digits = field.value().replaceAll("\\D+", "");
            if (written.isPresent()
                    && digits.matches("[1-9]\\d{0,8}")
                    && Integer.parseInt(digits) != written.getAsInt()) {
                lintFindingCollector.add(
                        LintCode.NUMBER_DIFFERS,
                        field.valueRange(),
                        "the preamble says " + digits + ", but the title says " + written.getAsInt(),
                        "write the same number in both");
            }
        });
    }
}
