package dev.gavel.sep.lint;

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
    private final SectionRequirements requirements;
    private final LintFindingCollector lintFindingCollector;

    SectionLint(Document document, LintContext context, LintFindingCollector lintFindingCollector) {
        this.document = document;
        this.stateResolver = new LintStateResolver(document, context);
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
        Map<String, DocumentSection> first = new HashMap<>();
        for (DocumentSection section : document.sections()) {
            DocumentSection earlier = first.putIfAbsent(section.slug(), section);
            if (earlier != null && SectionNames.isStandard(section.slug())) {
                lintFindingCollector.add(
                        LintCode.SECTION_DUPLICATE,
                        section.range(),
                        SectionNames.title(section.slug()) + " stands here and on line "
                                + earlier.range().line(),
                        "put both into one section, or give one of them another heading");
            } else if (section.nested() && section.filled()) {
                lintFindingCollector.add(
                        LintCode.SECTION_NESTED,
                        section.range(),
                        SectionNames.title(section.slug()) + " stands within another section",
                        "make its heading one of the same level as the Abstract's");
            }
        }
        document.headingsWithoutSpace()
                .forEach(textRange -> lintFindingCollector.add(
                        LintCode.HEADING_SPACE,
                        textRange,
                        "without a space after '#' this is shown as text, not as a heading",
                        "put a space after the last '#'"));
    }

    private void reportMissing(String slug, boolean needed) {
        Optional<String> later =
                needed ? Optional.empty() : requirements.nextStateRequiring(stateResolver.state(), slug);
        LintSeverity severity = needed ? LintSeverity.ERROR : LintSeverity.WARNING;
        String title = SectionNames.title(slug);
        String when = needed
                ? "; a proposal in the state " + stateResolver.state() + " needs one"
                : later.map(state -> "; it is needed from the state " + state + " on")
                        .orElse("");
        Optional<DocumentSection> empty = document.sections().stream()
                .filter(section -> section.slug().equals(slug))
                .findFirst();
        if (empty.isPresent()) {
            lintFindingCollector.add(
                    LintCode.SECTION_EMPTY,
                    severity,
                    empty.get().range(),
                    title + (empty.get().hasContent() ? " is yet to be written" : " is empty") + when,
                    "write it; where there is nothing to say, say so in a sentence");
        } else if (needed || later.isPresent()) {
            lintFindingCollector.add(
                    LintCode.SECTION_MISSING,
                    severity,
                    insertionPoint(slug),
                    "it has no section " + title + when,
                    "add a heading '## " + title + "' and write below it");
        }
    }

    /**
     * Returns the position of a missing section: after the nearest preceding section of the format that the document
     * has.
     */
    private TextRange insertionPoint(String slug) {
        List<String> format = SectionNames.standardSlugs();
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
