package dev.gavel.sep.document;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The known fields of a SEP document's preamble, such as status and authors, each with all labels that people use for
 * it.
 */
public enum PreambleKey {
    STATUS("Status"),
    TYPE("Type", "SEP Type"),
    CREATED("Created", "Date", "Created On", "Date Created", "Creation Date"),
    AUTHORS("Author(s)", "Author"),
    SPONSOR("Sponsor", "Sponsors"),
    PR("PR", "PRs", "Pull Request", "Pull Requests", "PR Link", "PR URL", "PR Number"),
    DISCUSSION(
            "Discussion",
            "Discussions",
            "Discussions-To",
            "Discussion-To",
            "Discussion Link",
            "Discussion Thread",
            "Discussion URL",
            "Related Discussion"),
    ISSUE("Issue", "GitHub Issue", "Tracking Issue", "Related Issue"),
    TITLE("Title", "SEP Title"),
    NUMBER("SEP", "SEP Number", "Number"),
    SUPERSEDES("Supersedes"),
    REPLACES("Replaces"),
    REQUIRES("Requires", "Depends on", "Dependencies"),
    SUPERSEDED_BY("Superseded-By");

    // Allows markup characters around the label. Any other character means that the text is not a label.
    private static final Pattern LABEL =
            Pattern.compile("[\\s*_`>+|<b/-]{0,10}[A-Za-z][A-Za-z0-9 ()/_-]{0,50}[\\s*_`:]{0,6}");

    private static final Map<String, PreambleKey> BY_LABEL = new HashMap<>();

    static {
        for (PreambleKey key : values()) {
            key.labels.forEach(word -> BY_LABEL.put(letters(word), key));
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final List<String> labels;

    PreambleKey(String... words) {
        this.labels = List.of(words);
    }

    /** Returns the label that the format uses. */
    public String canonicalLabel() {
        return labels.getFirst();
    }

    /** Returns the key for a label, regardless of case, punctuation and markup. */
    static Optional<PreambleKey> of(String label) {
        return ofPlain(label).or(() -> ofImitation(label));
    }

    private static Optional<PreambleKey> ofPlain(String label) {
        return LABEL.matcher(label).matches() ? Optional.ofNullable(BY_LABEL.get(letters(label))) : Optional.empty();
    }

    /**
     * Returns the key that readers take a label for. Only for the fields whose current values the server decides: a
     * disguised one would otherwise keep a false value in every exported document.
     */
    private static Optional<PreambleKey> ofImitation(String label) {
        return ofPlain(LabelFolder.fold(label)).filter(key -> key == STATUS || key == SPONSOR);
    }

    private static String letters(String label) {
        StringBuilder letters = new StringBuilder();
        label.toLowerCase(Locale.ROOT)
                .chars()
                .filter(Character::isLetterOrDigit)
                .forEach(each -> letters.append((char) each));
        return letters.toString();
    }
}
