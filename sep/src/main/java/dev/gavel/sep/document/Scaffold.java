package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.Alias;
import dev.gavel.lifecycle.process.Process;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes a document to be filled in. Stateless. */
public final class Scaffold {
    private static final Map<String, String> BELONGS = Map.of(
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

    private Scaffold() {}

    /**
     * A document with every part of the format.
     *
     * @param authors as they are to stand there
     * @param status the word for the state a proposal begins in
     */
    public static String text(String title, List<String> authors, Optional<String> type, String status, LocalDate day) {
        StringBuilder text = new StringBuilder();
        text.append("# SEP-0000: ").append(line(title)).append("\n\n");
        field(text, Key.STATUS, status);
        field(text, Key.TYPE, type.orElse("Standards Track"));
        field(text, Key.CREATED, day.toString());
        field(text, Key.AUTHORS, authors.isEmpty() ? "TBD" : line(String.join(", ", authors)));
        field(text, Key.SPONSOR, "None (seeking sponsor)");
        field(text, Key.DISCUSSION, "TBD");
        field(text, Key.PR, "TBD");
        for (String slug : SectionName.format()) {
            text.append("\n## ").append(SectionName.title(slug)).append("\n\n");
            text.append(BELONGS.getOrDefault(slug, "")).append('\n');
        }
        return text.toString();
    }

    /** The word by which documents call the state a proposal begins in. */
    public static String status(Process process) {
        String state = process.start().to();
        String word = process.aliases().stream()
                .filter(alias -> alias.state().equals(state))
                .map(Alias::word)
                .findFirst()
                .orElse(state);
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** The name of its file before it has a number. */
    public static String file(String title) {
        return "0000-" + SectionName.plainSlug(title) + ".md";
    }

    /** Whether a section still says what belongs there, and nothing of its own. */
    static boolean untouched(String slug, String words) {
        return BELONGS.getOrDefault(slug, "").equals(words.strip());
    }

    private static void field(StringBuilder text, Key key, String value) {
        text.append("- **").append(key.word()).append("**: ").append(value).append('\n');
    }

    private static String line(String words) {
        return words.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }
}
