package dev.gavel.sep.document;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The title of a document, with its SEP number or the placeholder for one.
 *
 * @param number empty if there is no number or only a placeholder
 * @param placeholder the placeholder in the position of the number, if there is one
 * @param text the title without the number
 * @param range the position of the title
 */
public record DocumentTitle(OptionalInt number, Optional<String> placeholder, String text, TextRange range) {
    private static final int MAX_LENGTH = 1_000;
    // SEP-12: Title; SEP 12 Title; [SEP-12] Title; SEP #12 - Title
    private static final Pattern NUMBERED = Pattern.compile(
            "\\[?\\s{0,9}SEP[\\s_#–-]{0,5}[\\[{(<]?(\\d{1,9})[]})>]?(?!\\d)\\]?(?:\\s{0,9}[:.|–—-]{1,2}\\s{0,9}|\\s{1,9}|$)(.{0,1000})",
            Pattern.CASE_INSENSITIVE);
    // SEP-XXXX: Title; SEP-{NUMBER}: Title; SEP[?]: Title
    private static final Pattern UNNUMBERED = Pattern.compile(
            "\\[?\\s{0,9}SEP[\\s_#–-]{0,5}(X{1,9}|N{1,9}|\\?{1,9}|#{1,9}|[\\[{(<][^\\[\\](){}<>]{0,40}[]})>]|TBD|TBA|DRAFT|PENDING|PLACEHOLDER|NUMBER)"
                    + "\\]?(?:\\s{0,9}[:.|–—-]{1,2}\\s{0,9}|$)(.{0,1000})",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern SPACED =
            Pattern.compile("SEP[\\s-](X{2,9}|N{2,9}|\\?{1,9}|\\{[^{}]{0,40}})\\s{1,9}(.{0,1000})");
    private static final Pattern BARE = Pattern.compile("SEP\\s{0,9}:\\s{0,9}(.{0,1000})", Pattern.CASE_INSENSITIVE);

    /** Parses the text of a heading. */
    static DocumentTitle read(String heading, TextRange textRange) {
        String words = heading.strip();
        if (words.length() > MAX_LENGTH) {
            words = words.substring(0, MAX_LENGTH);
        }
        Matcher numbered = NUMBERED.matcher(words);
        if (numbered.matches()) {
            int number = Integer.parseInt(numbered.group(1));
            return number == 0
                    ? new DocumentTitle(
                            OptionalInt.empty(),
                            Optional.of(numbered.group(1)),
                            numbered.group(2).strip(),
                            textRange)
                    : new DocumentTitle(
                            OptionalInt.of(number),
                            Optional.empty(),
                            numbered.group(2).strip(),
                            textRange);
        }
        for (Pattern pattern : new Pattern[] {UNNUMBERED, SPACED}) {
            Matcher unnumbered = pattern.matcher(words);
            if (unnumbered.matches()) {
                return new DocumentTitle(
                        OptionalInt.empty(),
                        Optional.of(unnumbered.group(1)),
                        unnumbered.group(2).strip(),
                        textRange);
            }
        }
        Matcher bare = BARE.matcher(words);
        return new DocumentTitle(
                OptionalInt.empty(),
                Optional.empty(),
                bare.matches() ? bare.group(1).strip() : words,
                textRange);
    }

    /** Whether a heading begins with a SEP number or a placeholder for one. */
    static boolean isSepTitle(String heading) {
        String words = heading.length() > MAX_LENGTH ? heading.substring(0, MAX_LENGTH) : heading;
        return NUMBERED.matcher(words).matches()
                || UNNUMBERED.matcher(words).matches()
                || SPACED.matcher(words).matches()
                || BARE.matcher(words).matches();
    }
}
