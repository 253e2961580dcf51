package dev.gavel.sep.document;

import java.util.List;
import java.util.Optional;

/** A SEP document: its text, title, preamble fields, sections and metadata. Immutable. */
public final class Document {
    /** The maximum number of characters that are read. */
    public static final int MAX_LENGTH = 1024 * 1024;

    private final String text;
    private final DocumentLines lines;
    private final List<PreambleField> fields;
    private final Optional<DocumentTitle> title;
    private final List<DocumentSection> sections;
    private final List<TextRange> headingsWithoutSpace;
    private final DocumentMetadata metadata;

    Document(
            String text,
            DocumentLines lines,
            List<PreambleField> fields,
            Optional<DocumentTitle> title,
            List<DocumentSection> sections,
            List<TextRange> unspaced,
            DocumentMetadata documentMetadata) {
        this.text = text;
        this.lines = lines;
        this.fields = List.copyOf(fields);
        this.title = title;
        this.sections = List.copyOf(sections);
        this.headingsWithoutSpace = List.copyOf(unspaced);
        this.metadata = documentMetadata;
    }

    /** Reads any text as a document. Only the first {@link #MAX_LENGTH} characters are read. */
    public static Document read(String text) {
        return DocumentReader.read(text);
    }

    /** Returns the whole text, unchanged. */
    public String text() {
        return text;
    }

    /** Returns the part of the text that is read: at most {@link #MAX_LENGTH} characters. */
    public String readText() {
        return isTooLong() ? text.substring(0, MAX_LENGTH) : text;
    }

    public DocumentMetadata metadata() {
        return metadata;
    }

    /** Whether the text is longer than {@link #MAX_LENGTH}. */
    public boolean isTooLong() {
        return text.length() > MAX_LENGTH;
    }

    /** Returns the title, if there is one. */
    public Optional<DocumentTitle> title() {
        return title;
    }

    /** Returns the preamble fields with a known key, in document order. */
    public List<PreambleField> fields() {
        return fields;
    }

    /** Returns the first preamble field with a key. Later ones are ignored. */
    public Optional<PreambleField> field(PreambleKey key) {
        return fields.stream().filter(field -> field.key() == key).findFirst();
    }

    /** Returns the sections in document order. */
    public List<DocumentSection> sections() {
        return sections;
    }

    /** Returns all persons named in the sponsor field. The first one is the sponsor. */
    public List<Author> sponsors() {
        return field(PreambleKey.SPONSOR)
                .filter(field -> !isPlaceholder(field))
                .map(field -> AuthorParser.parse(field.fullValue()))
                .orElse(List.of());
    }

    /** Whether the document has no sponsor field, or one that states explicitly that there is no sponsor. */
    public boolean hasNoSponsor() {
        return field(PreambleKey.SPONSOR).map(this::isPlaceholder).orElse(true);
    }

    /** Whether a field states that it has no value, or no value yet. */
    public boolean isPlaceholder(PreambleField field) {
        return PreambleValueParser.isPlaceholder(field.fullValue());
    }

    /**
     * Returns the ranges of headings that lack the space after their mark, without which Markdown shows them as text.
     */
    public List<TextRange> headingsWithoutSpace() {
        return headingsWithoutSpace;
    }

    /** Returns the range between two offsets in the part of the text that is read. */
    public TextRange range(int start, int end) {
        return lines.range(start, end);
    }

    /** Returns the range of the status value; if the value is missing, the position after its label. */
    public Optional<TextRange> statusRange() {
        return field(PreambleKey.STATUS).map(PreambleField::valueRange);
    }

    /** Returns the text with another status and no other change; the same text if it has no status field. */
    public String withStatus(String word) {
        return field(PreambleKey.STATUS)
                .map(field -> FieldValueReplacer.replaceStatus(text, field, word))
                .orElse(text);
    }

    /** Returns the text with another sponsor and no other change; the same text if it has no sponsor field. */
    public String withSponsor(String sponsor) {
        return field(PreambleKey.SPONSOR)
                .map(field -> FieldValueReplacer.replaceWhole(text, field, sponsor))
                .orElse(text);
    }
}
