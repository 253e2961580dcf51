package dev.gavel.sep.document;

import java.util.List;
import java.util.Optional;

/** A SEP document: its text, title, preamble fields, sections and metadata. Immutable. */
public final class Document {
    /** How many characters of a text are looked at. */
    public static final int MAX_LENGTH = 1024 * 1024;

    private final String text;
    private final List<PreambleField> fields;
    private final Optional<DocumentTitle> title;
    private final List<DocumentSection> sections;
    private final List<TextRange> headingsWithoutSpace;
    private final DocumentMetadata metadata;

    Document(
            String text,
            List<PreambleField> fields,
            Optional<DocumentTitle> title,
            List<DocumentSection> sections,
            List<TextRange> unspaced,
            DocumentMetadata documentMetadata) {
        this.text = text;
        this.fields = List.copyOf(fields);
        this.title = title;
        this.sections = List.copyOf(sections);
        this.headingsWithoutSpace = List.copyOf(unspaced);
        this.metadata = documentMetadata;
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
    public DocumentMetadata metadata() {
        return metadata;
    }

    /** Whether there is more than was looked at. */
    public boolean isTooLong() {
        return text.length() > MAX_LENGTH;
    }

    /** The heading it is called by, where it has one. */
    public Optional<DocumentTitle> title() {
        return title;
    }

    /** The lines of its preamble that the format knows, in their order. */
    public List<PreambleField> fields() {
        return fields;
    }

    /** The line of its preamble that counts: the first of that key. */
    public Optional<PreambleField> field(PreambleKey key) {
        return fields.stream().filter(field -> field.key() == key).findFirst();
    }

    /** Its sections, in their order. */
    public List<DocumentSection> sections() {
        return sections;
    }

    /** All that it names as its sponsor, of whom the first counts. */
    public List<Author> sponsors() {
        return field(PreambleKey.SPONSOR)
                .filter(field -> !isPlaceholder(field))
                .map(field -> AuthorParser.parse(field.fullValue()))
                .orElse(List.of());
    }

    /** Whether it says in so many words that it has no sponsor, or nothing about it. */
    public boolean hasNoSponsor() {
        return field(PreambleKey.SPONSOR).map(this::isPlaceholder).orElse(true);
    }

    /** Whether a line of its preamble says that there is nothing, or nothing yet. */
    public boolean isPlaceholder(PreambleField field) {
        return PreambleValueParser.isPlaceholder(field.fullValue());
    }

    /** Where headings stand that lack the space which makes them headings. */
    public List<TextRange> headingsWithoutSpace() {
        return headingsWithoutSpace;
    }

    /** Where its status stands, or would stand behind its label. */
    public Optional<TextRange> statusRange() {
        return field(PreambleKey.STATUS).map(PreambleField::valueRange);
    }

    /** The same text with another word for its status, and all else as it was; unchanged where it has no status line. */
    public String withStatus(String word) {
        return field(PreambleKey.STATUS)
                .map(field -> StatusReplacer.replace(text, field, word))
                .orElse(text);
    }
}
