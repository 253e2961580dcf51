package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentSection;
import dev.gavel.sep.document.SectionNames;
import dev.gavel.sep.document.TextRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks the sections of a document: missing, empty, duplicate or nested. Not thread-safe. */
final class SectionLint {
    private final Document document;
    private final LintStateResolver stateResolver;
    private final SectionNames names;
    private final SectionRequirements requirements;
    private final LintFindingCollector lintFindingCollector;

    SectionLint(Document document, LintContext context, LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.stateResolver = new LintStateResolver(document, context);
        this.names = SectionNames.of(document.format());
        this.requirements = new SectionRequirements(context.processDefinition(), stateResolver.type());
        this.lintFindingCollector = lintFindingCollector;
    }

    void lint() {
        Set<String> needed = requirements.requiredIn(stateResolver.state());
        List<String> all = new ArrayList<>(needed);
        requirements.requiredInAnyState().stream()
                .filter(slug -> !needed.contains(slug))
                .forEach(all::add);
        for (String slug : all) {
            if (!document.metadata().sections().contains(slug)) {
                reportMissing(slug, needed.contains(slug));
            }
        }
        reportTemplateText(needed);
        Map<String, DocumentSection> first = new HashMap<>();
        for (DocumentSection section : document.sections()) {
            DocumentSection earlier = first.putIfAbsent(section.slug(), section);
            if (earlier != null && names.isStandard(section.slug())) {
                lintFindingCollector.add(
                        LintCode.SECTION_DUPLICATE,
                        section.range(),
                        "the section " + names.title(section.slug()) + " is repeated; the first one is on line "
                                + earlier.range().line(),
                        "merge the two sections, or give one of them another heading");
            } else if (section.nested() && section.filled()) {
                lintFindingCollector.add(
                        LintCode.SECTION_NESTED,
                        section.range(),
                        "the section " + names.title(section.slug()) + " is inside another section",
                        "give its heading the same level as "
                                + names.standardSlugs().stream()
                                        .findFirst()
                                        .map(slug -> "the " + names.title(slug))
                                        .orElse("the others"));
            }
        }
        document.headingsWithoutSpace()
                .forEach(textRange -> lintFindingCollector.add(
                        LintCode.HEADING_SPACE,
                        textRange,
                        "without a space after '#', this line is text and not a heading",
                        "add a space after the last '#'"));
    }

    /** Reports the title and the sections of the template that are not reported as empty. */
    private void reportTemplateText(Set<String> needed) {
        TemplateTextFinder template = TemplateTextFinder.of(document);
        if (template.isTitleUnchanged()) {
            lintFindingCollector.add(
                    LintCode.TEMPLATE_TEXT,
                    lintFindingCollector.titleOrStart(),
                    "the title is still that of the template",
                    "write a title that says what the proposal changes");
        }
        document.sections().stream()
                .filter(section ->
                        section.filled() && needed.contains(section.slug()) && template.isUnchanged(section.slug()))
                .forEach(section -> lintFindingCollector.add(
                        LintCode.TEMPLATE_TEXT,
                        section.range(),
                        "the section " + names.title(section.slug()) + " still has the text of the template",
                        "write the section; if it does not apply, say so in one sentence"));
    }

    private void reportMissing(String slug, boolean needed) {
        Optional<String> later =
                needed ? Optional.empty() : requirements.nextStateRequiring(stateResolver.state(), slug);
        LintSeverity severity = needed ? LintSeverity.ERROR : LintSeverity.WARNING;
        String title = names.title(slug);
        String when = needed
                ? "; the state " + stateResolver.state() + " requires it"
                : later.map(state -> "; it is required from the state " + state + " on")
                        .orElse("");
        Optional<DocumentSection> empty = document.sections().stream()
                .filter(section -> section.slug().equals(slug))
                .findFirst();
        if (empty.isPresent()) {
            lintFindingCollector.add(
                    LintCode.SECTION_EMPTY,
                    severity,
                    empty.get().range(),
                    "the section " + title + (empty.get().hasContent() ? " has only a placeholder" : " is empty")
                            + when,
                    "write the section; if it does not apply, say so in one sentence");
        } else if (needed || later.isPresent()) {
            lintFindingCollector.add(
                    LintCode.SECTION_MISSING,
                    severity,
                    insertionPoint(slug),
                    "the section " + title + " is missing" + when,
                    "add a heading '" + headingMark() + title + "' with text below it");
        }
    }

    private String headingMark() {
        return document.format().markup() == DocumentFormat.Markup.MARKDOWN ? "## " : "";
    }

    /**
     * Returns the position of a missing section: after the nearest preceding section of the format that the document
     * has.
     */
    private TextRange insertionPoint(String slug) {
        List<String> format = names.standardSlugs();
        for (int i = format.indexOf(slug) - 1; i >= 0; i--) {
            String earlier = format.get(i);
            Optional<DocumentSection> found = document.sections().stream()
                    .filter(section -> section.slug().equals(earlier))
                    .findFirst();
            if (found.isPresent()) {
                return found.get().range();
            }
        }
        return lintFindingCollector.titleOrStart();
    }
}
