package dev.gavel.sep.document;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses titles that begin with the prefix of the format and a number or a placeholder for one. Immutable. */
final class DocumentTitleParser {
    private static final int MAX_LENGTH = 1_000;

    // With the prefix P -- P-12: Title; P 12 Title; [P-12] Title; P #12 - Title
    private final Pattern numbered;
    // P-XXXX: Title; P-{NUMBER}: Title; P[?]: Title
    private final Pattern unnumbered;
    private final Pattern spaced;
    private final Pattern bare;

    DocumentTitleParser(String prefix) {
        String quoted = Pattern.quote(prefix);
        this.numbered = Pattern.compile(
                "\\[?\\s{0,9}" + quoted
                        + "[\\s_#–-]{0,5}[\\[{(<]?(\\d{1,9})[]})>]?(?!\\d)\\]?(?:\\s{0,9}[:.|–—-]{1,2}\\s{0,9}|\\s{1,9}|$)(.{0,1000})",
                Pattern.CASE_INSENSITIVE);
        this.unnumbered = Pattern.compile(
                "\\[?\\s{0,9}" + quoted
                        + "[\\s_#–-]{0,5}(X{1,9}|N{1,9}|\\?{1,9}|#{1,9}|[\\[{(<][^\\[\\](){}<>]{0,40}[]})>]|TBD|TBA|DRAFT|PENDING|PLACEHOLDER|NUMBER)"
                        + "\\]?(?:\\s{0,9}[:.|–—-]{1,2}\\s{0,9}|$)(.{0,1000})",
                Pattern.CASE_INSENSITIVE);
        this.spaced = Pattern.compile(quoted + "[\\s-](X{2,9}|N{2,9}|\\?{1,9}|\\{[^{}]{0,40}})\\s{1,9}(.{0,1000})");
        this.bare = Pattern.compile(quoted + "\\s{0,9}:\\s{0,9}(.{0,1000})", Pattern.CASE_INSENSITIVE);
    }

    /** Parses the text of a heading. */
    DocumentTitle parse(String heading, TextRange textRange) {
        String words = bounded(heading.strip());
        Matcher numberMatcher = numbered.matcher(words);
        if (numberMatcher.matches()) {
            int number = Integer.parseInt(numberMatcher.group(1));
            String text = numberMatcher.group(2).strip();
            return number == 0
                    ? new DocumentTitle(OptionalInt.empty(), Optional.of(numberMatcher.group(1)), text, textRange)
                    : new DocumentTitle(OptionalInt.of(number), Optional.empty(), text, textRange);
        }
        for (Pattern pattern : List.of(unnumbered, spaced)) {
            Matcher placeholderMatcher = pattern.matcher(words);
            if (placeholderMatcher.matches()) {
                return new DocumentTitle(
                        OptionalInt.empty(),
                        Optional.of(placeholderMatcher.group(1)),
                        placeholderMatcher.group(2).strip(),
                        textRange);
            }
        }
        Matcher bareMatcher = bare.matcher(words);
        return new DocumentTitle(
                OptionalInt.empty(),
                Optional.empty(),
                bareMatcher.matches() ? bareMatcher.group(1).strip() : words,
                textRange);
    }

    /** Whether a heading begins with the prefix, and a number or a placeholder for one. */
    boolean isTitle(String heading) {
        String words = bounded(heading);
        return List.of(numbered, unnumbered, spaced, bare).stream()
                .anyMatch(pattern -> pattern.matcher(words).matches());
    }

    private static String bounded(String heading) {
        return heading.length() > MAX_LENGTH ? heading.substring(0, MAX_LENGTH) : heading;
    }
}
