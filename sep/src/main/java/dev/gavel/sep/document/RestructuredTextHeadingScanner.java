package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the headings of a reStructuredText document: a line above a rule of punctuation, and possibly below another one.
 * The order in which the kinds of rules first occur defines their levels. Not thread-safe.
 */
final class RestructuredTextHeadingScanner {
    private static final int MAX_HEADINGS = 10_000;
    private static final int MAX_LENGTH = 2_000;
    private static final int SHORTEST_RULE = 3;
    private static final String MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

    private final String text;
    private final DocumentLines lines;
    private final SectionNames sectionNames;
    private final List<String> rules = new ArrayList<>();

    RestructuredTextHeadingScanner(String text, DocumentLines lines, SectionNames sectionNames) {
        this.text = text;
        this.lines = lines;
        this.sectionNames = sectionNames;
    }

    List<DocumentHeading> scan() {
        List<DocumentHeading> found = new ArrayList<>();
        int count = lines.all().size();
        for (int i = 0; i + 1 < count && found.size() < MAX_HEADINGS; i++) {
            heading(i).ifPresent(found::add);
        }
        return found;
    }

    private Optional<DocumentHeading> heading(int index) {
        DocumentLine line = lines.all().get(index);
        char mark = rule(index + 1);
        if (!line.isText() || mark == 0 || rule(index) != 0 || line.end() - line.start() > MAX_LENGTH) {
            return Optional.empty();
        }
        boolean overlined = index > 0 && rule(index - 1) == mark;
        if (!overlined
                && (line.indent() > 0
                        || (index > 0 && lines.all().get(index - 1).isText()))) {
            return Optional.empty();
        }
        String words = PositionMappedText.of(text, line.start(), line.end())
                .text()
                .strip()
                .replaceAll("\\s+", " ");
        DocumentLine below = lines.all().get(index + 1);
        // A shorter rule is accepted if it cannot be anything else.
        if (words.isEmpty() || (below.end() - below.start() < words.length() && below.end() - below.start() <= 3)) {
            return Optional.empty();
        }
        String rule = (overlined ? "over" : "") + mark;
        if (!rules.contains(rule)) {
            rules.add(rule);
        }
        return Optional.of(new DocumentHeading(
                rules.indexOf(rule) + 1,
                words,
                sectionNames.slug(words),
                lines.range(line),
                overlined ? index - 1 : index,
                index + 2,
                true));
    }

    /** Returns the character of which a line consists, if it is a rule; otherwise zero. */
    private char rule(int index) {
        DocumentLine line = lines.all().get(index);
        int end = line.end();
        while (end > line.start() && Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        int length = end - line.start();
        if (!line.isVisible() || line.indent() > 0 || length < SHORTEST_RULE || length > MAX_LENGTH) {
            return 0;
        }
        char mark = text.charAt(line.start());
        for (int i = line.start(); i < end; i++) {
            if (text.charAt(i) != mark) {
                return 0;
            }
        }
        return MARKS.indexOf(mark) < 0 ? 0 : mark;
    }
}
