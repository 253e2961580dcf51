package dev.gavel.sep.similarity;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Counts the terms of a text: removes stop words, stems plurals, and weights the title. The first line is the title; a
 * term in it counts several times. Stateless.
 */
final class TermCounter {
    /** The maximum number of characters counted. No summary is longer; the rest of any other text is ignored. */
    private static final int MAX_TEXT_LENGTH = 8_000;

    /** A longer word is an address or a key, not a term. */
    private static final int MAX_WORD_LENGTH = 40;

    private static final float TITLE_WEIGHT = 3;

    /** Words that occur in texts on any subject. */
    private static final Set<String> STOP_WORDS = Set.of(
            ("a about above across after all also although always am an and another any anything are around as at"
                            + " be became because become becomes been before being below between both but by can cannot"
                            + " could did do does doing done down during each either else enough etc even ever every few"
                            + " first for from further get given had has have having hence here how however i if in instead"
                            + " into is it its itself just like made make makes many may me might more most much must my"
                            + " need needs neither no nor not now of off often on once one only onto or other others our"
                            + " out over own per rather same see several shall she should since so some such than that the"
                            + " their them then there therefore these they this those though through thus to today together"
                            + " too toward two under until up upon us use used uses using very via was we well were what"
                            + " when where whether which while who whole whom whose why will with within without would yet"
                            + " you your")
                    .split(" "));

    private TermCounter() {}

    /** Returns the weighted count of each term. */
    static Map<String, Float> countTerms(String text) {
        String read = text.length() > MAX_TEXT_LENGTH ? text.substring(0, MAX_TEXT_LENGTH) : text;
        String all = read.strip();
        int end = all.indexOf('\n');
        int title = end < 0 ? all.length() : end;
        Map<String, Float> counts = new HashMap<>();
        int start = -1;
        for (int i = 0; i <= all.length(); ) {
            int point = i < all.length() ? all.codePointAt(i) : ' ';
            boolean within = Character.isLetterOrDigit(point) && !Character.isIdeographic(point);
            if (within && start < 0) {
                start = i;
            } else if (!within && start >= 0) {
                count(counts, all.substring(start, i), start < title);
                start = -1;
            }
            // In scripts without spaces between words, each character counts as a term.
            if (Character.isIdeographic(point)) {
                counts.merge(Character.toString(point), i < title ? TITLE_WEIGHT : 1, Float::sum);
            }
            i += Character.charCount(point);
        }
        return counts;
    }

    private static void count(Map<String, Float> counts, String written, boolean inTitle) {
        if (written.length() < 2 || written.length() > MAX_WORD_LENGTH) {
            return;
        }
        String word = written.toLowerCase(Locale.ROOT);
        if (!STOP_WORDS.contains(word)) {
            counts.merge(stem(word), inTitle ? TITLE_WEIGHT : 1, Float::sum);
        }
    }

    /** Returns a stem that singular and plural have in common. The stem need not be a word. */
    static String stem(String word) {
        String one = word.length() > 3
                        && word.endsWith("s")
                        && !word.endsWith("ss")
                        && !word.endsWith("us")
                        && !word.endsWith("is")
                ? word.substring(0, word.length() - 1)
                : word;
        if (one.length() > 3 && one.endsWith("ie")) {
            return one.substring(0, one.length() - 2) + "y";
        }
        // "caches" and "cache", "batches" and "batch".
        return one.endsWith("che") || one.endsWith("she") || one.endsWith("xe") || one.endsWith("sse")
                ? one.substring(0, one.length() - 1)
                : one;
    }
}
