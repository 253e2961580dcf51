package dev.gavel.mcpx.text;

import java.lang.Character.UnicodeScript;
import java.util.Arrays;

/**
 * Decides which characters of an untrusted text a person would not see, or would mistake for others. Joiners and
 * variation selectors are allowed where they change what is shown: in emoji, between Arabic letters and after the virama
 * of Indic scripts. Stateless.
 */
final class HiddenCharacterDetector {
    private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
    private static final int ZERO_WIDTH_JOINER = 0x200D;
    private static final int TEXT_STYLE = 0xFE0E;
    private static final int EMOJI_STYLE = 0xFE0F;
    private static final int KEYCAP = 0x20E3;

    /** No common writing system puts more marks on one letter; more of them cover the lines above and below. */
    private static final int MAX_MARKS = 5;

    /** Letters, marks and symbols that have no visible form, in ascending order. */
    private static final int[] INVISIBLE = {
        0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x2D7F, 0x3164, 0xFFA0, 0x1107F,
        0x13441, 0x13442, 0x16FE4, 0x1D159
    };

    /** Format characters that have a visible form, in ascending order. */
    private static final int[] VISIBLE_FORMAT = {
        0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD
    };

    /** The viramas of the scripts in which joiners select the form of a consonant cluster, in ascending order. */
    private static final int[] VIRAMAS = {
        0x94D, 0x9CD, 0xA4D, 0xACD, 0xB4D, 0xBCD, 0xC4D, 0xCCD, 0xD4D, 0xDCA, 0x1039, 0x103A, 0x17D2
    };

    private HiddenCharacterDetector() {}

    /**
     * Whether the character at this index is hidden or misleading. Line breaks and tabs count as hidden; callers that
     * show them exempt them.
     */
    static boolean isHidden(String text, int index) {
        int character = text.codePointAt(index);
        if (character < 0x7F) {
            return character < ' ';
        }
        return switch (character) {
            case TEXT_STYLE, EMOJI_STYLE -> !isStyleOfEmoji(text, index);
            case ZERO_WIDTH_JOINER -> !joinsEmoji(text, index) && !followsVirama(text, index);
            case ZERO_WIDTH_NON_JOINER -> !separatesArabicLetters(text, index) && !followsVirama(text, index);
            default -> isInvisible(character) || isHiddenByType(text, index, character);
        };
    }

    private static boolean isHiddenByType(String text, int index, int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    // A person takes these for an ordinary space; a program does not.
                    Character.SPACE_SEPARATOR -> true;
            case Character.FORMAT -> Arrays.binarySearch(VISIBLE_FORMAT, character) < 0;
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> !isMarkOnLetter(text, index);
            default -> false;
        };
    }

    private static boolean isInvisible(int character) {
        return Arrays.binarySearch(INVISIBLE, character) >= 0
                || (character >= 0xFE00 && character <= 0xFE0D)
                || (character >= 0xE0100 && character <= 0xE01EF);
    }

    /** Whether there is a character to carry this mark, and not too many marks on it already. */
    private static boolean isMarkOnLetter(String text, int index) {
        int at = index;
        for (int marks = 0; marks < MAX_MARKS && at > 0; marks++) {
            int before = text.codePointBefore(at);
            if (!isMark(before)) {
                return before > ' ' && !Character.isWhitespace(before) && !Character.isISOControl(before);
            }
            at -= Character.charCount(before);
        }
        return false;
    }

    private static boolean isMark(int character) {
        int type = Character.getType(character);
        return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
    }

    private static boolean isStyleOfEmoji(String text, int index) {
        if (index == 0) {
            return false;
        }
        int before = text.codePointBefore(index);
        // Digits are emoji only as keycaps.
        return Character.isEmoji(before) && (before > 0x7F || next(text, index) == KEYCAP);
    }

    private static boolean joinsEmoji(String text, int index) {
        int at = index;
        int before = 0;
        // A skin tone, or a style, can stand between the emoji and the joiner.
        for (int steps = 0; steps < 3 && at > 0; steps++) {
            before = text.codePointBefore(at);
            at -= Character.charCount(before);
            if (before != EMOJI_STYLE && !Character.isEmojiModifier(before)) {
                break;
            }
        }
        return Character.isExtendedPictographic(before) && Character.isExtendedPictographic(next(text, index));
    }

    private static boolean separatesArabicLetters(String text, int index) {
        return index > 0 && joinsToNext(text.codePointBefore(index)) && isArabicLetter(next(text, index));
    }

    private static boolean isArabicLetter(int character) {
        return character >= 0x620 && character <= 0x6FF && Character.isLetter(character);
    }

    /** Whether an Arabic letter is written joined to the next one, so that a non-joiner after it can be seen. */
    private static boolean joinsToNext(int character) {
        return isArabicLetter(character)
                && !(character == 0x621
                        || (character >= 0x622 && character <= 0x625)
                        || character == 0x627
                        || character == 0x629
                        || (character >= 0x62F && character <= 0x632)
                        || character == 0x648
                        || (character >= 0x671 && character <= 0x677)
                        || (character >= 0x688 && character <= 0x699)
                        || character == 0x6C0
                        || (character >= 0x6C3 && character <= 0x6CB)
                        || character == 0x6CD
                        || character == 0x6CF
                        || (character >= 0x6D2 && character <= 0x6D5)
                        || character == 0x6EE
                        || character == 0x6EF);
    }

    private static boolean followsVirama(String text, int index) {
        if (index == 0) {
            return false;
        }
        int before = text.codePointBefore(index);
        int after = next(text, index);
        return Arrays.binarySearch(VIRAMAS, before) >= 0
                && Character.isLetter(after)
                && UnicodeScript.of(before) == UnicodeScript.of(after);
    }

    /** The character after the one at this index; 0 at the end. */
    private static int next(String text, int index) {
        int at = index + Character.charCount(text.codePointAt(index));
        return at < text.length() ? text.codePointAt(at) : 0;
    }
}
