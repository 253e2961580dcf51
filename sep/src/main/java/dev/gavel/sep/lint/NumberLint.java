package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentTitle;
import dev.gavel.sep.document.PreambleKey;
import java.util.Optional;
import java.util.OptionalInt;

/** Checks that title, file name, preamble and ledger agree on a document's number. Not thread-safe. */
final class NumberLint {
    private final Document document;
    private final SepFileName name;
    private final LintContext context;
    private final LintFindingCollector lintFindingCollector;

    NumberLint(Document document, SepFileName name, LintContext context, LintFindingCollector lintFindingCollector) {
        this.document = document;
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
                    "start the document with a heading such as '# SEP-0000: A short title'");
        }
        OptionalInt written = document.metadata().number();
        OptionalInt expectedNumber = context.number().isPresent() ? context.number() : name.number();
        if (written.isEmpty()) {
            unnumbered(expectedNumber);
        } else if (expectedNumber.isPresent() && expectedNumber.getAsInt() != written.getAsInt()) {
            String where = context.number().isPresent() ? "the ledger" : "the file name";
            lintFindingCollector.add(
                    LintCode.NUMBER_DIFFERS,
                    lintFindingCollector.titleOrStart(),
                    "the title says SEP-" + written.getAsInt() + ", but " + where + " says "
                            + expectedNumber.getAsInt(),
                    "write SEP-" + expectedNumber.getAsInt() + " in the title, or rename the file");
        } else if (expectedNumber.isEmpty() && name.placeholder()) {
            lintFindingCollector.add(
                    LintCode.FILE_UNNUMBERED,
                    lintFindingCollector.titleOrStart(),
                    "the title says SEP-" + written.getAsInt() + ", but the file name has no number yet",
                    "rename the file to " + written.getAsInt() + "-" + name.rest());
        }
        field(written);
    }

    private void unnumbered(OptionalInt expectedNumber) {
        Optional<String> placeholder = document.title().flatMap(DocumentTitle::placeholder);
        if (document.metadata().title().isEmpty()) {
            return;
        }
        if (expectedNumber.isPresent()) {
            lintFindingCollector.add(
                    LintCode.NUMBER_MISSING,
                    lintFindingCollector.titleOrStart(),
                    "the title has no number, but " + (context.number().isPresent() ? "the ledger" : "the file name")
                            + " says " + expectedNumber.getAsInt(),
                    "start the title with 'SEP-" + expectedNumber.getAsInt() + ":'");
        } else if (placeholder.isPresent()) {
            lintFindingCollector.add(
                    LintCode.NUMBER_PLACEHOLDER,
                    lintFindingCollector.titleOrStart(),
                    LintFindingCollector.quote(placeholder.get()) + " is a placeholder for the number",
                    "keep it until the SEP is submitted and has a number");
        }
    }

    private void field(OptionalInt written) {
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
