package dev.gavel.mcpx.text;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Finds words in which a letter imitates an ASCII letter, so that a reader takes the word for a different one: {@code
 * pаypal} with a Cyrillic letter, or {@code ｇoogle} with a fullwidth letter. The rules follow the mixed-script detection
 * of Unicode Technical Standard 39 and use the Unicode data of the JDK. Stateless.
 */
public final class LookalikeWordFinder {
    /**
     * Letters that look like ASCII letters, of alphabets that are also mixed with Latin letters in ordinary texts:
     * Cyrillic, Greek and Armenian.
     */
    private static final String LOOKALIKES =
            "аеорсухіјѕһѵԁԍԛԝӏАВЕЅІЈКМНОРСТУХѴҺӀԌԚԜ" + "ονυραικϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ" + "օոսհցզյՕՏՍԼ";

    /** Scripts whose letters ordinary texts join to Latin words without a space. Their letters look different. */
    private static final Set<UnicodeScript> JOINED_TO_LATIN = EnumSet.of(
            UnicodeScript.ARABIC,
            UnicodeScript.BENGALI,
            UnicodeScript.BOPOMOFO,
            UnicodeScript.DEVANAGARI,
            UnicodeScript.ETHIOPIC,
            UnicodeScript.GEORGIAN,
            UnicodeScript.GUJARATI,
            UnicodeScript.GURMUKHI,
            UnicodeScript.HANGUL,
            UnicodeScript.HAN,
            UnicodeScript.HEBREW,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KANNADA,
            UnicodeScript.KATAKANA,
            UnicodeScript.KHMER,
            UnicodeScript.LAO,
            UnicodeScript.MALAYALAM,
            UnicodeScript.MYANMAR,
            UnicodeScript.ORIYA,
            UnicodeScript.SINHALA,
            UnicodeScript.TAMIL,
            UnicodeScript.TELUGU,
            UnicodeScript.THAANA,
            UnicodeScript.THAI,
            UnicodeScript.TIBETAN);

    /**
     * Latin letters that look like ASCII letters: dotless letters, IPA letters and small capitals. Languages use some of
     * them, so they count only in a name such as a host name.
     */
    private static final String LATIN_LOOKALIKES = "ıȷɑɡɩɪɢʀʟɴʙʜʏᴀᴄᴅᴇᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡᴢ";

    private LookalikeWordFinder() {}

    /** Returns the first such word of a text. */
    public static Optional<String> find(String text) {
        int start = 0;
        Word word = new Word();
        for (int at = 0; at <= text.length(); ) {
            int character = at < text.length() ? text.codePointAt(at) : ' ';
            if (Character.isLetter(character)) {
                word.add(character);
            } else {
                if (word.imitates() || (word.latinLookalike && word.ascii && isPartOfName(text, start, at))) {
                    return Optional.of(text.substring(start, at));
                }
                word = new Word();
                start = at + Character.charCount(character);
            }
            at += Character.charCount(character);
        }
        return Optional.empty();
    }

    /** Whether a word is joined to another one as in a host name or an address: {@code word.com}, {@code me@word}. */
    private static boolean isPartOfName(String text, int start, int end) {
        return (end + 1 < text.length() && isJoint(text.charAt(end)) && isNamePart(text.charAt(end + 1)))
                || (start > 1 && isJoint(text.charAt(start - 1)) && isNamePart(text.charAt(start - 2)));
    }

    private static boolean isJoint(char character) {
        return character == '.' || character == '@';
    }

    private static boolean isNamePart(char character) {
        return character < 0x80 && Character.isLetterOrDigit(character);
    }

    /** The kinds of letters in one word. */
    private static final class Word {
        private boolean ascii;
        private boolean latin;
        private boolean lookalike;
        private boolean compatible;
        private boolean latinLookalike;
        private int mathematical;

        void add(int letter) {
            if (letter < 0x80) {
                ascii = true;
                latin = true;
                return;
            }
            UnicodeScript script = UnicodeScript.of(letter);
            switch (script) {
                case LATIN -> {
                    boolean fullwidth = letter >= 'Ａ' && letter <= 'ｚ';
                    compatible |= fullwidth;
                    latin |= !fullwidth;
                    latinLookalike |= LATIN_LOOKALIKES.indexOf(letter) >= 0;
                }
                // Mathematical letters, such as bold ones.
                case COMMON -> {
                    if (isStyledAscii(letter)) {
                        compatible = true;
                        mathematical++;
                    }
                }
                case CYRILLIC, GREEK, ARMENIAN -> lookalike |= LOOKALIKES.indexOf(letter) >= 0;
                case INHERITED, UNKNOWN -> {}
                default -> lookalike |= !JOINED_TO_LATIN.contains(script);
            }
        }

        boolean imitates() {
            return (latin && lookalike) || (ascii && compatible) || mathematical > 1;
        }

        private static boolean isStyledAscii(int letter) {
            String folded = Normalizer.normalize(Character.toString(letter), Normalizer.Form.NFKC);
            return folded.length() == 1 && folded.charAt(0) < 0x80 && Character.isLetter(folded.charAt(0));
        }
    }
}
