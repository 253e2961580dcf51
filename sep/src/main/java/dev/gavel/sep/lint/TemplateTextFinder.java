package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentChanges;
import dev.gavel.sep.document.DocumentSection;
import dev.gavel.sep.document.DocumentTemplate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the title and the sections of a document that still have the text of the template, however its lines are broken.
 * Immutable.
 */
public final class TemplateTextFinder {
    private final Document document;
    private final Document template;
    private final Set<String> unchanged;

    private TemplateTextFinder(Document document, Document template) {
        this.document = document;
        this.template = template;
        Set<String> changed = DocumentChanges.between(template, document).parts().stream()
                .filter(part -> part.section() && !words(part.before()).equals(words(part.after())))
                .map(DocumentChanges.Part::name)
                .collect(Collectors.toSet());
        this.unchanged = document.sections().stream()
                .map(DocumentSection::slug)
                .filter(slug -> template.sections().stream()
                                .anyMatch(section -> section.slug().equals(slug))
                        && !changed.contains(slug))
                .collect(Collectors.toSet());
    }

    /** Compares a document with the template of its process. */
    public static TemplateTextFinder of(Document document) {
        DocumentFormat format = document.format();
        return new TemplateTextFinder(document, Document.read(DocumentTemplate.placeholder(format), format));
    }

    private static String words(List<String> lines) {
        return String.join(" ", lines).replaceAll("\\s+", " ").strip();
    }

    /** Whether a section has the text of the template. */
    boolean isUnchanged(String slug) {
        return unchanged.contains(slug);
    }

    /** Whether the title is that of the template. */
    boolean isTitleUnchanged() {
        return document.metadata().title().equalsIgnoreCase(template.metadata().title());
    }

    /**
     * Returns what must be written before the document can be submitted: the title, and the sections that a submission
     * requires. If it requires none, a document counts as written if any of its sections is.
     */
    public List<String> unwrittenForSubmission(ProcessDefinition processDefinition) {
        String type = document.metadata().type().orElse("");
        Set<String> required = new SectionRequirements(processDefinition, type)
                .requiredIn(processDefinition.startMove().to());
        List<String> sections = document.sections().stream()
                .filter(section -> required.isEmpty() || required.contains(section.slug()))
                .map(DocumentSection::slug)
                .distinct()
                .toList();
        List<String> unwritten = sections.stream().filter(unchanged::contains).toList();
        boolean written = required.isEmpty() && unwritten.size() < sections.size();
        return Stream.concat(
                        Optional.of("title").filter(title -> isTitleUnchanged()).stream(),
                        written ? Stream.empty() : unwritten.stream())
                .toList();
    }
}
