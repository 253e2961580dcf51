package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.DocumentFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parts in which two versions of a document differ: preamble fields, the rest of the preamble, sections, and link
 * definitions. Line ends are not compared. Immutable.
 *
 * @param parts in the order of the later version, removed parts last
 * @param unclear whether readers of one of the versions can see other sections than {@link Document#sections}, so that
 *     the name of a part does not say which text changed
 */
public record DocumentChanges(List<Part> parts, boolean unclear) {
    /** The name of the title among the changed fields. */
    static final String TITLE = "title";

    /** The name of the text before the first section that is neither the title nor a field. */
    public static final String PREAMBLE = "preamble";

    /** The name of the definitions of Markdown links, which apply to the whole document, wherever they are. */
    static final String LINK_DEFINITIONS = "link-definitions";

    /** No changes. */
    public static final DocumentChanges NONE = new DocumentChanges(List.of(), false);

    /**
     * A part that differs.
     *
     * @param section whether the part is a section; otherwise it belongs to the preamble
     * @param name the slug of the section, or the name of the field
     * @param before its lines in the earlier version; empty if it was added
     * @param after its lines in the later version; empty if it was removed
     */
    public record Part(boolean section, String name, List<String> before, List<String> after) {
        public Part {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    public DocumentChanges {
        parts = List.copyOf(parts);
    }

    /** Compares two versions of a document. */
    public static DocumentChanges between(Document before, Document after) {
        Map<PartKey, List<String>> earlier = parts(before);
        Map<PartKey, List<String>> later = parts(after);
        // A section that only moved differs as well, because a text can refer to what is above or below it.
        Map<PartKey, Integer> earlierOrder = order(earlier, later);
        Map<PartKey, Integer> laterOrder = order(later, earlier);
        Set<PartKey> keys = new LinkedHashSet<>(later.keySet());
        keys.addAll(earlier.keySet());
        List<Part> parts = new ArrayList<>();
        for (PartKey key : keys) {
            List<String> old = earlier.getOrDefault(key, List.of());
            List<String> current = later.getOrDefault(key, List.of());
            if (!old.equals(current) || !Objects.equals(earlierOrder.get(key), laterOrder.get(key))) {
                parts.add(new Part(key.section(), key.name(), old, current));
            }
        }
        Optional<MarkdownOutline> outline = outline(before);
        Optional<MarkdownOutline> laterOutline = outline(after);
        List<String> links = outline.map(MarkdownOutline::linkDefinitions).orElse(List.of());
        List<String> laterLinks =
                laterOutline.map(MarkdownOutline::linkDefinitions).orElse(List.of());
        if (!links.equals(laterLinks)) {
            parts.add(new Part(false, LINK_DEFINITIONS, links, laterLinks));
        }
        return new DocumentChanges(
                parts,
                outline.filter(found -> !agrees(found, before)).isPresent()
                        || laterOutline.filter(found -> !agrees(found, after)).isPresent());
    }

    private static Optional<MarkdownOutline> outline(Document document) {
        return document.format().markup() == DocumentFormat.Markup.MARKDOWN
                ? Optional.of(MarkdownOutline.of(document.readText()))
                : Optional.empty();
    }

    /**
     * Whether each section begins with a heading that readers see, and contains no further heading that they would see
     * as the beginning of another section.
     */
    private static boolean agrees(MarkdownOutline outline, Document document) {
        Set<Integer> headingLines = outline.headings().stream()
                .map(MarkdownOutline.OutlineHeading::line)
                .collect(Collectors.toSet());
        Map<Integer, DocumentSection> sectionsByLine = new HashMap<>();
        for (DocumentSection section : document.sections()) {
            if (!headingLines.contains(section.range().line())) {
                return false;
            }
            for (int line = section.range().line() + 1; line <= section.lastLine(); line++) {
                if (headingLines.contains(line)) {
                    sectionsByLine.put(line, section);
                }
            }
        }
        document.sections()
                .forEach(section -> sectionsByLine.remove(section.range().line()));
        return outline.headings().stream().noneMatch(heading -> {
            DocumentSection section = sectionsByLine.get(heading.line());
            return section != null && heading.level() <= section.level();
        });
    }

    /** Returns the slugs of the sections that differ. */
    public Set<String> sections() {
        return names(true);
    }

    /**
     * Returns the names of the preamble fields that differ, such as {@code status}; {@code title} for the title, and
     * {@code preamble} for other text before the first section.
     */
    public Set<String> fields() {
        return names(false);
    }

    private Set<String> names(boolean section) {
        return parts.stream()
                .filter(part -> part.section() == section)
                .map(Part::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private record PartKey(boolean section, String name) {}

    /** Returns the positions of the sections among those that both versions have. */
    private static Map<PartKey, Integer> order(Map<PartKey, List<String>> parts, Map<PartKey, List<String>> others) {
        Map<PartKey, Integer> order = new HashMap<>();
        for (PartKey key : parts.keySet()) {
            if (key.section() && others.containsKey(key)) {
                order.put(key, order.size());
            }
        }
        return order;
    }

    /** Returns the lines of each part. Each line belongs to one part; repeated fields and sections are one part. */
    private static Map<PartKey, List<String>> parts(Document document) {
        List<String> lines = document.readText().lines().toList();
        PartKey[] owners = new PartKey[lines.size()];
        Arrays.fill(owners, new PartKey(false, PREAMBLE));
        for (DocumentSection section : document.sections()) {
            assign(owners, section.range().line(), section.lastLine(), new PartKey(true, section.slug()));
        }
        for (PreambleField field : document.fields()) {
            int end = field.valueRange().end();
            assign(
                    owners,
                    field.labelRange().line(),
                    document.range(end, end).line(),
                    new PartKey(
                            false, field.key().name().toLowerCase(Locale.ROOT).replace('_', '-')));
        }
        document.title()
                .ifPresent(title ->
                        assign(owners, title.range().line(), title.range().line(), new PartKey(false, TITLE)));
        Map<PartKey, List<String>> parts = new LinkedHashMap<>();
        for (int i = 0; i < owners.length; i++) {
            parts.computeIfAbsent(owners[i], key -> new ArrayList<>()).add(lines.get(i));
        }
        // Blank lines at the end of a part come and go with the next part.
        parts.values().forEach(text -> {
            while (!text.isEmpty() && text.getLast().isBlank()) {
                text.removeLast();
            }
        });
        return parts;
    }

    /** Assigns lines to a part, from the first to the last line number, counted from one. */
    private static void assign(PartKey[] owners, int first, int last, PartKey part) {
        Arrays.fill(owners, Math.min(first - 1, owners.length), Math.min(last, owners.length), part);
    }
}
