package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A proposal as somebody wrote it; read leniently, never refused. Immutable. */
public final class Document {
    private static final Pattern FIELD = Pattern.compile("(?m)^[-*] \\*\\*([A-Za-z() ]{1,40})\\*\\*: ?([^\\r\\n]*)");
    private static final Pattern TITLE = Pattern.compile("(?m)^# (?:SEP-(\\d{1,9}): )?([^\\r\\n]*)");
    private static final Pattern HEADING = Pattern.compile("(?m)^## ([^\\r\\n]*)");

    private final String text;
    private final Outline outline;

    private Document(String text, Outline outline) {
        this.text = text;
        this.outline = outline;
    }

    /** Reads a document, whatever it is. */
    public static Document read(String text) {
        OptionalInt number = OptionalInt.empty();
        String title = "";
        Matcher first = TITLE.matcher(text);
        if (first.find()) {
            title = first.group(2).strip();
            if (first.group(1) != null) {
                number = OptionalInt.of(Integer.parseInt(first.group(1)));
            }
        }
        Set<String> sections = new LinkedHashSet<>();
        HEADING.matcher(text)
                .results()
                .forEach(found -> sections.add(
                        found.group(1).strip().toLowerCase(Locale.ROOT).replace(' ', '-')));
        List<Author> authors = new ArrayList<>();
        field(text, "Author(s)").ifPresent(value -> authors.add(new Author(Optional.of(value), Optional.empty())));
        return new Document(
                text,
                new Outline(
                        number,
                        title,
                        field(text, "Status"),
                        field(text, "Type"),
                        authors,
                        Optional.empty(),
                        field(text, "Created"),
                        field(text, "Discussion"),
                        field(text, "PR"),
                        sections,
                        Links.NONE,
                        title));
    }

    /** The text as it was written. */
    public String text() {
        return text;
    }

    /** What it says of itself. */
    public Outline outline() {
        return outline;
    }

    /** The same text with another word for its status; unchanged where it has no status line. */
    public String withStatus(String word) {
        Matcher matcher = FIELD.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1).equals("Status")) {
                return text.substring(0, matcher.start(2)) + word + text.substring(matcher.end(2));
            }
        }
        return text;
    }

    private static Optional<String> field(String text, String name) {
        return FIELD.matcher(text)
                .results()
                .filter(found -> found.group(1).equals(name))
                .map(found -> found.group(2).strip())
                .findFirst();
    }
}
