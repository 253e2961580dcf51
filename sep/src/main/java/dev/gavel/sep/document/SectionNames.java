package dev.gavel.sep.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Defines the standard sections of a SEP document, and maps headings, including alternative wordings such as "Summary"
 * for "Abstract", to section slugs. Stateless.
 */
public final class SectionNames {
    static final String REFERENCE_IMPLEMENTATION = "reference-implementation";

    private static final int MAX_SLUG_LENGTH = 80;
    private static final Pattern NUMBERING =
            Pattern.compile("^(?:section\\s+)?(?:\\d{1,3}(?:\\.\\d{1,3}){0,5}[.):]?|[ivx]{1,5}[.)])\\s+");
    private static final Pattern ANCHOR = Pattern.compile("\\{#[^{}]{0,100}}\\s*$");
    private static final Set<String> PREAMBLE = Set.of(
            "preamble",
            "metadata",
            "header",
            "front-matter",
            "sep-metadata",
            "document-information",
            "sep-information");

    /** The standard sections: slug and heading. */
    private static final Map<String, String> FORMAT = new LinkedHashMap<>();

    private static final Map<String, Set<String>> OTHER_WORDS = Map.of(
            "abstract", Set.of("summary", "executive-summary", "tl-dr", "tldr", "abstract-summary"),
            "motivation",
                    Set.of(
                            "motivations",
                            "motivation-and-background",
                            "background-and-motivation",
                            "motivation-and-use-cases",
                            "motivation-and-problem-statement",
                            "problem-statement",
                            "problem"),
            "specification",
                    Set.of(
                            "specifications",
                            "technical-specification",
                            "detailed-specification",
                            "proposed-specification",
                            "protocol-specification",
                            "normative-specification",
                            "specification-details",
                            "specification-changes"),
            "rationale",
                    Set.of(
                            "rationales",
                            "design-rationale",
                            "rationale-and-alternatives",
                            "rationale-and-alternatives-considered",
                            "rationale-and-design-decisions",
                            "rationale-and-design",
                            "design-decisions-and-rationale",
                            "rationale-and-prior-art"),
            "backward-compatibility",
                    Set.of(
                            "compatibility",
                            "compatibility-considerations",
                            "compatibility-and-migration",
                            "compatibility-notes"),
            "security-implications", Set.of(),
            "reference-implementation",
                    Set.of(
                            "reference-implementations",
                            "implementation",
                            "implementations",
                            "prototype",
                            "prototype-implementation",
                            "reference-prototype",
                            "implementation-status"));

    private static final Set<String> SECURITY = Set.of(
            "security",
            "implication",
            "implications",
            "consideration",
            "considerations",
            "and",
            "privacy",
            "trust",
            "safety",
            "concerns",
            "analysis",
            "impact",
            "risks",
            "issues",
            "notes",
            "threat",
            "model");

    static {
        for (String name : List.of(
                "Abstract",
                "Motivation",
                "Specification",
                "Rationale",
                "Backward Compatibility",
                "Security Implications",
                "Reference Implementation")) {
            FORMAT.put(slugify(name), name);
        }
    }

    private SectionNames() {}

    /** Returns the slugs of the standard sections, in the order of the format. */
    public static List<String> standardSlugs() {
        return List.copyOf(FORMAT.keySet());
    }

    /** Returns the heading of a section. For a slug that is not standard, it is derived from the slug. */
    public static String title(String slug) {
        String title = FORMAT.get(slug);
        return title == null ? slug.replace('-', ' ') : title;
    }

    /** Returns the slug of a heading; for an alternative wording of a standard section, the standard slug. */
    public static String slug(String words) {
        String slug = slugify(words);
        if (FORMAT.containsKey(slug)) {
            return slug;
        }
        for (Map.Entry<String, Set<String>> section : OTHER_WORDS.entrySet()) {
            if (section.getValue().contains(slug)) {
                return section.getKey();
            }
        }
        List<String> parts = List.of(slug.split("-"));
        if (parts.stream().anyMatch(part -> part.startsWith("backward")) && slug.contains("compat")) {
            return "backward-compatibility";
        }
        if (parts.contains("security") && SECURITY.containsAll(parts)) {
            return "security-implications";
        }
        if (slug.startsWith("compatibility-with-")) {
            return "backward-compatibility";
        }
        return slug.startsWith("reference-implementation-") ? "reference-implementation" : slug;
    }

    /** Returns the slug of the text itself, which serves as link target of a heading. */
    public static String plainSlug(String words) {
        String slug = slugify(words);
        return slug.isEmpty() ? "section" : slug;
    }

    /** Whether a slug is that of a standard section. */
    public static boolean isStandard(String slug) {
        return FORMAT.containsKey(slug);
    }

    /** Whether a heading introduces the preamble and not a section. */
    static boolean isPreambleHeading(String slug) {
        return PREAMBLE.contains(slug);
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
