package dev.gavel.sep.lint;

import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Section;
import dev.gavel.sep.document.SectionName;
import dev.gavel.sep.document.Spot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The sections: which are missing, and which are wrong. Not thread-safe. */
final class SectionLint {
    private final Document document;
    private final Standing standing;
    private final Demands demands;
    private final Findings findings;

    SectionLint(Document document, LintContext context, Findings findings) {
        this.document = document;
        this.standing = new Standing(document, context);
        this.demands = new Demands(context.process(), standing.type());
        this.findings = findings;
    }

    void lint() {
        Set<String> needed = demands.sections(standing.state());
        List<String> all = new ArrayList<>(needed);
        demands.ever().stream().filter(slug -> !needed.contains(slug)).forEach(all::add);
        for (String slug : all) {
            if (!document.outline().sections().contains(slug)) {
                lacking(slug, needed.contains(slug));
            }
        }
        Map<String, Section> first = new HashMap<>();
        for (Section section : document.sections()) {
            Section earlier = first.putIfAbsent(section.slug(), section);
            if (earlier != null && SectionName.ofFormat(section.slug())) {
                findings.add(
                        Code.SECTION_DUPLICATE,
                        section.spot(),
                        SectionName.title(section.slug()) + " stands here and on line "
                                + earlier.spot().line(),
                        "put both into one section, or give one of them another heading");
            } else if (section.nested() && section.filled()) {
                findings.add(
                        Code.SECTION_NESTED,
                        section.spot(),
                        SectionName.title(section.slug()) + " stands within another section",
                        "make its heading one of the same level as the Abstract's");
            }
        }
        document.unspaced()
                .forEach(spot -> findings.add(
                        Code.HEADING_SPACE,
                        spot,
                        "without a space after '#' this is shown as text, not as a heading",
                        "put a space after the last '#'"));
    }

    private void lacking(String slug, boolean needed) {
        Optional<String> later = needed ? Optional.empty() : demands.later(standing.state(), slug);
        Severity severity = needed ? Severity.ERROR : Severity.WARNING;
        String title = SectionName.title(slug);
        String when = needed
                ? "; a proposal in the state " + standing.state() + " needs one"
                : later.map(state -> "; it is needed from the state " + state + " on")
                        .orElse("");
        Optional<Section> empty = document.sections().stream()
                .filter(section -> section.slug().equals(slug))
                .findFirst();
        if (empty.isPresent()) {
            findings.add(
                    Code.SECTION_EMPTY,
                    severity,
                    empty.get().spot(),
                    title + (empty.get().content() ? " is yet to be written" : " is empty") + when,
                    "write it; where there is nothing to say, say so in a sentence");
        } else if (needed || later.isPresent()) {
            findings.add(
                    Code.SECTION_MISSING,
                    severity,
                    before(slug),
                    "it has no section " + title + when,
                    "add a heading '## " + title + "' and write below it");
        }
    }

    /** Where it would come: behind the last section of the format that stands before it there. */
    private Spot before(String slug) {
        List<String> format = SectionName.format();
        for (int i = format.indexOf(slug) - 1; i >= 0; i--) {
            String earlier = format.get(i);
            Optional<Section> found = document.sections().stream()
                    .filter(section -> section.slug().equals(earlier))
                    .findFirst();
            if (found.isPresent()) {
                return found.get().spot();
            }
        }
        return findings.titleOrTop();
    }
}
