package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.DocumentFormat;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;

/** Parses and writes dates with the patterns of a document format. Stateless. */
public final class DocumentDateFormat {
    private static final int MAX_LENGTH = 40;

    private DocumentDateFormat() {}

    /** Returns the date that a text states in one of the format's patterns; empty if it has none of them. */
    public static Optional<LocalDate> parse(String text, DocumentFormat format) {
        return format.dates().stream()
                .flatMap(pattern -> parse(text, formatter(pattern)).stream())
                .findFirst();
    }

    /** Returns the date that a text states in one pattern; empty if it does not have the pattern. */
    public static Optional<LocalDate> parse(String text, DateTimeFormatter formatter) {
        if (text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDate.parse(text.strip(), formatter));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns a date in the preferred pattern of the format. */
    public static String write(LocalDate date, DocumentFormat format) {
        return formatter(format.dates().getFirst()).format(date);
    }

    /** Returns the preferred pattern as people write it, such as YYYY-MM-DD. */
    public static String describe(DocumentFormat format) {
        return format.dates().getFirst().toUpperCase(Locale.ROOT);
    }

    /** Returns a strict formatter. In a strict one, a year of the era would need the era as well. */
    public static DateTimeFormatter formatter(String pattern) {
        return new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .appendPattern(pattern.replace('y', 'u'))
                .toFormatter(Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT);
    }
}
