package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.PreambleKey;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentDateFormat;
import dev.gavel.sep.document.DocumentTemplate;
import dev.gavel.sep.document.PreambleField;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/** Checks the creation date in a document's preamble. Not thread-safe. */
final class DateLint {
    // Date formats in which day and month cannot be confused.
    private static final List<DateTimeFormatter> UNAMBIGUOUS = forms(
            "uuuu/M/d",
            "uuuu.M.d",
            "uuuu-M-d",
            "d MMM uuuu",
            "d MMMM uuuu",
            "MMM d, uuuu",
            "MMMM d, uuuu",
            "MMM d uuuu",
            "MMMM d uuuu",
            "uuuuMMdd",
            "d.M.uuuu");
    private static final List<DateTimeFormatter> AMBIGUOUS = forms("M/d/uuuu", "d/M/uuuu", "M-d-uuuu", "d-M-uuuu");

    private final Document document;
    private final LintFindingCollector lintFindingCollector;

    DateLint(Document document, LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.lintFindingCollector = lintFindingCollector;
    }

    private static List<DateTimeFormatter> forms(String... patterns) {
        return List.of(patterns).stream().map(DocumentDateFormat::formatter).toList();
    }

    void lint() {
        Optional<PreambleField> field = document.field(PreambleKey.CREATED);
        Optional<String> created = document.metadata().created();
        DocumentFormat format = document.format();
        String form = DocumentDateFormat.describe(format);
        if (created.isEmpty()) {
            lintFindingCollector.add(
                    LintCode.CREATED_MISSING,
                    field.map(PreambleField::valueRange).orElseGet(lintFindingCollector::preambleStart),
                    "the " + format.fieldLabel(PreambleKey.CREATED) + " date is missing",
                    "add a line '" + DocumentTemplate.fieldLine(format, PreambleKey.CREATED, form) + "'");
            return;
        }
        String word = created.get();
        if (DocumentDateFormat.parse(word, format).isPresent()) {
            return;
        }
        Optional<LocalDate> clear = UNAMBIGUOUS.stream()
                .flatMap(formatter -> DocumentDateFormat.parse(word, formatter).stream())
                .findFirst();
        boolean unclear = AMBIGUOUS.stream()
                .anyMatch(formatter -> DocumentDateFormat.parse(word, formatter).isPresent());
        if (clear.isPresent() || unclear) {
            lintFindingCollector.add(
                    LintCode.CREATED_FORM,
                    field.orElseThrow().valueRange(),
                    LintFindingCollector.quote(word) + " is not a date in the format " + form,
                    clear.map(day -> "write " + DocumentDateFormat.write(day, format))
                            .orElse("write year, month and day in this order: " + form));
        } else {
            lintFindingCollector.add(
                    LintCode.CREATED_MALFORMED,
                    field.orElseThrow().valueRange(),
                    LintFindingCollector.quote(word) + " is not a date",
                    "write the creation date as " + form);
        }
    }
}
