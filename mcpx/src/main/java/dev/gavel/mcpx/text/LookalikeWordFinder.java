package dev.gavel.mcpx.text;

import java.lang.Character.UnicodeScript;
import java.util.Optional;

/**
 * Finds words that mix Latin letters with Cyrillic or Greek letters of the same shape, which a reader takes for a
 * different word. Stateless.
 */
public final class LookalikeWordFinder {
    /** Cyrillic and Greek letters that look like Latin letters. */
    private static final String LOOKALIKES = "аеорсухіјѕһԁԛԝАВЕЅІЈКМНОРСТУХԌԚԜ" + "ονυραικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";

    private LookalikeWordFinder() {}

    /** Returns the first such word of a text. */
    public static Optional<String> find(String text) {
        int start = 0;
        boolean latin = false;
        boolean lookalike = false;
        for (int at = 0; at <= text.length(); ) {
            int character = at < text.length() ? text.codePointAt(at) : ' ';
            if (Character.isLetter(character)) {
                latin |= character < 0x80 || UnicodeScript.of(character) == UnicodeScript.LATIN;
                lookalike |= character > 0x370 && character < 0x530 && LOOKALIKES.indexOf(character) >= 0;
            } else {
                if (latin && lookalike) {
                    return Optional.of(text.substring(start, at));
                }
                latin = false;
                lookalike = false;
                start = at + Character.charCount(character);
            }
            at += Character.charCount(character);
        }
        return Optional.empty();
    }
}
