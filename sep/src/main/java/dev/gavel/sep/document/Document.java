package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.PreambleKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/** A document of a proposal: its text, title, preamble fields, sections and metadata. Immutable. */
public final class Document {
    /** The maximum number of characters that are read. */
    public static final int MAX_LENGTH = 1024 * 1024;

    private final String text;
    private final DocumentFormat format;
    private final DocumentLines lines;
    private final List<PreambleField> fields;
    private final Optional<DocumentTitle> title;
    private final List<DocumentSection> sections;
    private final List<TextRange> headingsWithoutSpace;
    private final Set<String> disabledLintCodes;
    private final DocumentMetadata metadata;

    Document(
            String text,
            DocumentFormat format,
            DocumentLines lines,
            List<PreambleField> fields,
            Optional<DocumentTitle> title,
            List<DocumentSection> sections,
            List<TextRange> unspaced,
            Set<String> disabledLintCodes,
            DocumentMetadata documentMetadata) {
        this.text = text;
        this.format = format;
        this.lines = lines;
        this.fields = List.copyOf(fields);
        this.title = title;
        this.sections = List.copyOf(sections);
        this.headingsWithoutSpace = List.copyOf(unspaced);
        this.disabledLintCodes = disabledLintCodes;
        this.metadata = documentMetadata;
    }

    /** Reads any text as a document. Only the first {@link #MAX_LENGTH} characters are read. */
    public static Document read(String text, DocumentFormat format) {
        return DocumentReader.read(text, format, Optional.empty());
    }

    /** Reads the text of a file, and what the format finds in the file's path and in the files beside it. */
    public static Document read(String text, DocumentFormat format, DocumentFile file) {
        return DocumentReader.read(text, format, Optional.of(file));
    }

    /** Returns the format in which the document was read. */
    public DocumentFormat format() {
        return format;
    }

    /** Returns the number that the title or the preamble states, whichever takes precedence in the format. */
    public OptionalInt statedNumber() {
        return DocumentReader.number(format, title, field(PreambleKey.NUMBER), Optional.empty());
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
        return field(PreambleKey.SPONSOR).map(this::sponsors).orElse(List.of());
    }

    private List<Author> sponsors(PreambleField field) {
        return isPlaceholder(field) ? List.of() : AuthorParser.parse(field.fullValue());
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

    /** Returns the lint codes that comments in the document disable, as they are written. */
    public Set<String> disabledLintCodes() {
        return disabledLintCodes;
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
        return withStatus(word, status -> false);
    }

    /**
     * Returns the text with another status in each status field, and no other change. Readers may see any of the fields,
     * so each of them states the same.
     *
     * @param isCurrent whether a status already means the new one, so that its field stays as it is
     */
    public String withStatus(String word, Predicate<String> isCurrent) {
        String changed = text;
        // From the end, so that the offsets of earlier fields stay valid.
        for (PreambleField field : fields.reversed()) {
            if (field.key() == PreambleKey.STATUS
                    && field.style() != PreambleField.Style.SIDE_FILE
                    && PreambleValueParser.text(StatusFieldText.of(field).text())
                            .filter(isCurrent)
                            .isEmpty()) {
                changed = FieldValueReplacer.replaceStatus(changed, field, word);
            }
        }
        return changed;
    }

    /**
     * Returns the text with another sponsor in each sponsor field, and no other change.
     *
     * @param isCurrent whether the first person that a field names already is the sponsor, so that the field stays as it
     *     is; the person is empty if the field names none
     */
    public String withSponsor(String sponsor, Predicate<Optional<Author>> isCurrent) {
        String changed = text;
        for (PreambleField field : fields.reversed()) {
            if (field.key() == PreambleKey.SPONSOR
                    && field.style() != PreambleField.Style.SIDE_FILE
                    && !isCurrent.test(sponsors(field).stream().findFirst())) {
                changed = FieldValueReplacer.replaceWhole(changed, field, sponsor);
            }
        }
        return changed;
    }
}
