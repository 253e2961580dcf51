package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.PreambleField;
import dev.gavel.sep.document.PreambleKey;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Checks the creation date in a document's preamble. Not thread-safe. */
final class DateLint {
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
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
        return List.of(patterns).stream()
                .map(pattern -> new java.time.format.DateTimeFormatterBuilder()
                        .parseCaseInsensitive()
                        .appendPattern(pattern)
                        .toFormatter(Locale.ENGLISH)
                        .withResolverStyle(ResolverStyle.STRICT))
                .toList();
    }

    void lint() {
        Optional<PreambleField> field = document.field(PreambleKey.CREATED);
        Optional<String> created = document.metadata().created();
        if (created.isEmpty()) {
            lintFindingCollector.add(
                    LintCode.CREATED_MISSING,
                    field.map(PreambleField::valueRange).orElseGet(lintFindingCollector::preambleStart),
                    "the Created date is missing",
                    "add a line '- **Created**: YYYY-MM-DD'");
            return;
        }
        String word = created.get();
        if (day(word, ISO).isPresent()) {
            return;
        }
        Optional<LocalDate> clear =
                UNAMBIGUOUS.stream().flatMap(form -> day(word, form).stream()).findFirst();
        boolean unclear = AMBIGUOUS.stream().anyMatch(form -> day(word, form).isPresent());
        if (clear.isPresent() || unclear) {
            lintFindingCollector.add(
                    LintCode.CREATED_FORM,
                    field.orElseThrow().valueRange(),
                    LintFindingCollector.quote(word) + " is not a date in the format YYYY-MM-DD",
                    clear.map(day -> "write " + ISO.format(day))
                            .orElse("write year, month and day in this order: YYYY-MM-DD"));
        } else {
            lintFindingCollector.add(
                    LintCode.CREATED_MALFORMED,
                    field.orElseThrow().valueRange(),
                    LintFindingCollector.quote(word) + " is not a date",
                    "write the creation date as YYYY-MM-DD");
        }
    }

    private static Optional<LocalDate> day(String word, DateTimeFormatter form) {
        if (word.length() > 40) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDate.parse(word, form));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
