package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.StateAlias;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes a new SEP document with all sections, for the author to fill in. Stateless. */
public final class DocumentTemplate {
    private static final Map<String, String> HINTS = Map.of(
            "abstract", "Describe in one or two paragraphs what changes and for whom.",
            "motivation",
                    "Explain why the current specification is not sufficient: who needs the change, for what purpose,"
                            + " and what they do today.",
            "specification",
                    "Describe exactly what changes, so that independent implementations work together: messages, fields"
                            + " and errors, with examples.",
            "rationale",
                    "Explain the design: which alternatives were considered and rejected, and which objections were"
                            + " raised in the discussion.",
            "backward-compatibility",
                    "Describe what breaks for which clients and servers, and how they can migrate. If nothing breaks,"
                            + " explain why.",
            "security-implications",
                    "Describe how an attacker could misuse the change, and what prevents it. If nothing changes,"
                            + " explain why.",
            "reference-implementation",
                    "Link to working code. It can follow later, but is required before the SEP becomes final.");

    /** The hints of earlier versions, which documents may still contain unchanged. */
    private static final Map<String, String> EARLIER_HINTS = Map.of(
            "abstract", "In a paragraph or two: what changes, and for whom.",
            "motivation",
                    "Why the specification as it is does not do: who needs this, for what, and what they do today. A"
                            + " proposal without a good reason goes no further.",
            "specification",
                    "What exactly changes, in words that two people who never meet would implement alike: messages,"
                            + " fields, errors, with examples.",
            "rationale",
                    "Why it is done this way: what else was considered and why not, and what was said against it in"
                            + " discussion.",
            "backward-compatibility",
                    "What breaks, for which clients and servers, and how they move on; or why nothing does.",
            "security-implications",
                    "What somebody with bad intentions could do with it, and what stops them; or why nothing changes.",
            "reference-implementation",
                    "Where working code is to be seen. It need not be there to begin with, but before the proposal is"
                            + " final.");

    private DocumentTemplate() {}

    /**
     * Returns a document with every part of the format.
     *
     * @param authors the authors as they are written into the document
     * @param status the status word of the start state
     */
    public static String render(
            String title, List<String> authors, Optional<String> type, String status, LocalDate day) {
        StringBuilder text = new StringBuilder();
        text.append("# SEP-0000: ").append(line(title)).append("\n\n");
        field(text, PreambleKey.STATUS, status);
        field(text, PreambleKey.TYPE, type.orElse("Standards Track"));
        field(text, PreambleKey.CREATED, day.toString());
        field(text, PreambleKey.AUTHORS, authors.isEmpty() ? "TBD" : line(String.join(", ", authors)));
        field(text, PreambleKey.SPONSOR, "None (seeking sponsor)");
        field(text, PreambleKey.DISCUSSION, "TBD");
        field(text, PreambleKey.PR, "TBD");
        for (String slug : SectionNames.standardSlugs()) {
            text.append("\n## ").append(SectionNames.title(slug)).append("\n\n");
            text.append(HINTS.getOrDefault(slug, "")).append('\n');
        }
        return text.toString();
    }

    /** Returns the template with a placeholder for everything that the author writes. */
    public static String placeholder() {
        return render("Title", List.of(), Optional.empty(), "Draft", LocalDate.EPOCH);
    }

    /** Returns the status word that documents use for the start state. */
    public static String initialStatus(ProcessDefinition processDefinition) {
        String state = processDefinition.startMove().to();
        String word = processDefinition.aliases().stream()
                .filter(alias -> alias.state().equals(state))
                .map(StateAlias::word)
                .findFirst()
                .orElse(state);
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** Returns the file name of a document without a number. */
    public static String fileName(String title) {
        return "0000-" + SectionNames.plainSlug(title) + ".md";
    }

    /** Whether a section still consists of the template's hint only. */
    static boolean isUnchangedHint(String slug, String words) {
        return HINTS.getOrDefault(slug, "").equals(words.strip())
                || EARLIER_HINTS.getOrDefault(slug, "").equals(words.strip());
    }

    private static void field(StringBuilder text, PreambleKey key, String value) {
        text.append("- **")
                .append(key.canonicalLabel())
                .append("**: ")
                .append(value)
                .append('\n');
    }

    private static String line(String words) {
        return words.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }
}
