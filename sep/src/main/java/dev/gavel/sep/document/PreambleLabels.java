package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.PreambleKey;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Maps the labels of preamble fields to their keys. Immutable. */
final class PreambleLabels {
    // Allows markup characters around the label. Any other character means that the text is not a label.
    private static final Pattern LABEL =
            Pattern.compile("[\\s*_`>+|<b/-]{0,10}[A-Za-z][A-Za-z0-9 ()/_-]{0,50}[\\s*_`:]{0,6}");

    /** No labels, for texts of which only the lines matter. */
    static final PreambleLabels NONE = new PreambleLabels(Map.of());

    private final Map<String, PreambleKey> byLabel = new HashMap<>();

    PreambleLabels(Map<PreambleKey, List<String>> labels) {
        labels.forEach((key, words) -> words.forEach(word -> byLabel.put(letters(word), key)));
    }

    /** Returns the key for a label, regardless of case, punctuation and markup. */
    Optional<PreambleKey> find(String label) {
        return findPlain(label).or(() -> findImitation(label));
    }

    private Optional<PreambleKey> findPlain(String label) {
        return LABEL.matcher(label).matches() ? Optional.ofNullable(byLabel.get(letters(label))) : Optional.empty();
    }

    /**
     * Returns the key that readers take a label for. Only for the fields whose current values the server decides: a
     * disguised one would otherwise keep a false value in every exported document.
     */
    private Optional<PreambleKey> findImitation(String label) {
        return findPlain(LabelFolder.fold(label))
                .filter(key -> key == PreambleKey.STATUS || key == PreambleKey.SPONSOR);
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
