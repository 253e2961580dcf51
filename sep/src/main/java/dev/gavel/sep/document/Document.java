package dev.gavel.sep.document;

import java.util.List;
import java.util.Optional;

/** A proposal as somebody wrote it; read leniently, never refused. Immutable. */
public final class Document {
    /** How many characters of a text are looked at. */
    public static final int LIMIT = 1024 * 1024;

    private final String text;
    private final List<Field> fields;
    private final Optional<Title> title;
    private final List<Section> sections;
    private final List<Spot> unspaced;
    private final Outline outline;

    Document(
            String text,
            List<Field> fields,
            Optional<Title> title,
            List<Section> sections,
            List<Spot> unspaced,
            Outline outline) {
        this.text = text;
        this.fields = List.copyOf(fields);
        this.title = title;
        this.sections = List.copyOf(sections);
        this.unspaced = List.copyOf(unspaced);
        this.outline = outline;
    }

    /** Reads a document, whatever it is; of one that is too long, the beginning. */
    public static Document read(String text) {
        return DocumentReader.read(text);
    }

    /** The text as it was written. */
    public String text() {
        return text;
    }

    /** What it says of itself. */
    public Outline outline() {
        return outline;
    }

    /** Whether there is more than was looked at. */
    public boolean tooLong() {
        return text.length() > LIMIT;
    }

    /** The heading it is called by, where it has one. */
    public Optional<Title> title() {
        return title;
    }

    /** The lines of its preamble that the format knows, in their order. */
    public List<Field> fields() {
        return fields;
    }

    /** The line of its preamble that counts: the first of that key. */
    public Optional<Field> field(Key key) {
        return fields.stream().filter(field -> field.key() == key).findFirst();
    }

    /** Its sections, in their order. */
    public List<Section> sections() {
        return sections;
    }

    /** All that it names as its sponsor, of whom the first counts. */
    public List<Author> sponsors() {
        return field(Key.SPONSOR)
                .filter(field -> !nothing(field))
                .map(field -> Byline.read(field.all()))
                .orElse(List.of());
    }

    /** Whether it says in so many words that it has no sponsor, or nothing about it. */
    public boolean unsponsored() {
        return field(Key.SPONSOR).map(this::nothing).orElse(true);
    }

    /** Whether a line of its preamble says that there is nothing, or nothing yet. */
    public boolean nothing(Field field) {
        return Value.nothing(field.all());
    }

    /** Where headings stand that lack the space which makes them headings. */
    public List<Spot> unspaced() {
        return unspaced;
    }

    /** Where its status stands, or would stand behind its label. */
    public Optional<Spot> statusSpot() {
        return field(Key.STATUS).map(Field::valueSpot);
    }

    /** The same text with another word for its status, and all else as it was; unchanged where it has no status line. */
    public String withStatus(String word) {
        return field(Key.STATUS)
                .map(field -> StatusEdit.replace(text, field, word))
                .orElse(text);
    }
}
