package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.DocumentFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A document format with its labels, headings and patterns prepared for lookups. Immutable. */
final class CompiledDocumentFormat {
    // A program reads documents of one format only, except for tests and tools that compare formats.
    private static volatile @Nullable CompiledDocumentFormat latest;

    private final DocumentFormat format;
    private final PreambleLabels labels;
    private final SectionNames sections;
    private final DocumentTitleParser titles;
    private final Pattern reference;

    private CompiledDocumentFormat(DocumentFormat format) {
        this.format = format;
        this.labels = new PreambleLabels(format.preamble().labels());
        this.sections = new SectionNames(format);
        this.titles = new DocumentTitleParser(format.prefix());
        this.reference = Pattern.compile(
                "\\b" + Pattern.quote(format.prefix()) + "s?[\\s#-]{0,3}(\\d{1,9})\\b", Pattern.CASE_INSENSITIVE);
    }

    static CompiledDocumentFormat of(DocumentFormat format) {
        CompiledDocumentFormat known = latest;
        if (known == null || !known.format.equals(format)) {
            known = new CompiledDocumentFormat(format);
            latest = known;
        }
        return known;
    }

    DocumentFormat format() {
        return format;
    }

    PreambleLabels labels() {
        return labels;
    }

    SectionNames sections() {
        return sections;
    }

    DocumentTitleParser titles() {
        return titles;
    }

    /** Returns the pattern of a reference to another proposal, with the number as its group. */
    Pattern reference() {
        return reference;
    }
}
