package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.DocumentFormat.SectionRule;
import dev.gavel.lifecycle.process.FilePattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Maps the headings of a document, including alternative wordings such as Summary for Abstract, to the slugs of the
 * sections that its format defines. Immutable.
 */
public final class SectionNames {
    private static final int MAX_SLUG_LENGTH = 80;
    private static final Pattern NUMBERING =
            Pattern.compile("^(?:section\\s+)?(?:\\d{1,3}(?:\\.\\d{1,3}){0,5}[.):]?|[ivx]{1,5}[.)])\\s+");
    private static final Pattern ANCHOR = Pattern.compile("\\{#[^{}]{0,100}}\\s*$");

    /** The sections of the format by slug. */
    private final Map<String, SectionRule> rules = new LinkedHashMap<>();

    private final Map<String, String> slugsByHeading = new HashMap<>();
    private final List<SlugPattern> patterns = new ArrayList<>();
    private final Set<String> preambleHeadings = new HashSet<>();

    /** A pattern of slugs, and the section that they mean. */
    private record SlugPattern(String pattern, String slug) {}

    SectionNames(DocumentFormat format) {
        format.sections().forEach(rule -> rules.putIfAbsent(slugify(rule.name()), rule));
        rules.keySet().forEach(slug -> slugsByHeading.put(slug, slug));
        rules.forEach((slug, rule) -> {
            for (String synonym : rule.synonyms()) {
                if (synonym.contains("*")) {
                    patterns.add(new SlugPattern(
                            synonym.toLowerCase(Locale.ROOT).strip().replaceAll("\\s+", "-"), slug));
                } else {
                    slugsByHeading.putIfAbsent(slugify(synonym), slug);
                }
            }
        });
        format.preamble().headings().forEach(heading -> preambleHeadings.add(slugify(heading)));
    }

    /** Returns the section names of a format. */
    public static SectionNames of(DocumentFormat format) {
        return CompiledDocumentFormat.of(format).sections();
    }

    /** Returns the slugs of the format's sections, in the order of the format. */
    public List<String> standardSlugs() {
        return List.copyOf(rules.keySet());
    }

    /** Returns the slugs of the sections that a complete document has, in the order of the format. */
    public List<String> completeSlugs() {
        return rules.entrySet().stream()
                .filter(section -> !section.getValue().optional())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the heading of a section. For a slug that the format does not define, it is derived from the slug. */
    public String title(String slug) {
        SectionRule rule = rules.get(slug);
        return rule == null ? slug.replace('-', ' ') : rule.name();
    }

    /** Returns the slug of a heading; for an alternative wording of a section of the format, that section's slug. */
    public String slug(String words) {
        return standardSlug(slugify(words));
    }

    /** Returns the slug of the format's section that a slug means; the slug itself if it means none. */
    public String standardSlug(String slug) {
        String known = slugsByHeading.get(slug);
        if (known != null) {
            return known;
        }
        for (SlugPattern pattern : patterns) {
            if (FilePattern.matches(pattern.pattern(), slug)) {
                return pattern.slug();
            }
        }
        List<String> parts = List.of(slug.split("-"));
        for (Map.Entry<String, SectionRule> section : rules.entrySet()) {
            List<String> words = section.getValue().words();
            if (!words.isEmpty() && parts.contains(words.getFirst()) && words.containsAll(parts)) {
                return section.getKey();
            }
        }
        return slug;
    }

    /** Returns the slug of the text itself, which serves as link target of a heading. */
    public static String plainSlug(String words) {
        String slug = slugify(words);
        return slug.isEmpty() ? "section" : slug;
    }

    /** Whether a slug is that of a section of the format. */
    public boolean isStandard(String slug) {
        return rules.containsKey(slug);
    }

    /** Returns the rule for a section of the format. */
    Optional<SectionRule> rule(String slug) {
        return Optional.ofNullable(rules.get(slug));
    }

    /** Returns the slugs of the sections that a state newly requires. */
    public List<String> neededFrom(String state) {
        return rules.entrySet().stream()
                .filter(section ->
                        section.getValue().neededFrom().filter(state::equals).isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether a heading introduces the preamble and not a section. */
    boolean isPreambleHeading(String slug) {
        return preambleHeadings.contains(slug);
    }

    private static String slugify(String words) {
        String bounded = words.length() > 4 * MAX_SLUG_LENGTH ? words.substring(0, 4 * MAX_SLUG_LENGTH) : words;
        String bare = ANCHOR.matcher(bounded.toLowerCase(Locale.ROOT).strip()).replaceAll("");
        bare = NUMBERING.matcher(bare).replaceAll("");
        StringBuilder slug = new StringBuilder();
        bare.codePoints().forEach(each -> {
            if (Character.isLetterOrDigit(each)) {
                slug.appendCodePoint(each);
            } else if (!slug.isEmpty() && slug.charAt(slug.length() - 1) != '-' && each != '\'' && each != '’') {
                slug.append('-');
            }
        });
        int end = Math.min(slug.length(), MAX_SLUG_LENGTH);
        while (end > 0 && slug.charAt(end - 1) == '-') {
            end--;
        }
        return slug.substring(0, end);
    }
}
