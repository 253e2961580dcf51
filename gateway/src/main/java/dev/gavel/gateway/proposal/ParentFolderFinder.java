package dev.gavel.gateway.proposal;

/**
 * Decides whether a text, read as a path, leaves its folder with "..". In program text and in texts of several lines,
 * relative references such as {@code import "../../a"} are normal and do not count. Takes linear time, because the text
 * is untrusted. Stateless.
 */
final class ParentFolderFinder {
    private static final String CODE = "\"'`(){}<>=;";

    private final String text;

    /** Whether ordinary program text can have a relative reference after a space or a line break. */
    private final boolean code;

    private final boolean severalLines;

    /** The index of the last delimiter, apart from spaces at the end of the text; -1 if there is none. */
    private final int lastDelimiter;

    private ParentFolderFinder(String text) {
        this.text = text;
        this.severalLines = text.strip().indexOf('\n') >= 0;
        this.code = severalLines || text.chars().anyMatch(each -> CODE.indexOf(each) >= 0);
        int last = text.stripTrailing().length() - 1;
        while (last >= 0 && !isDelimiter(text.charAt(last))) {
            last--;
        }
        this.lastDelimiter = last;
    }

    static boolean leavesFolder(String text) {
        String decoded = decode(text);
        return decoded.contains("..") && new ParentFolderFinder(decoded).leavesFolder();
    }

    private boolean leavesFolder() {
        // Where the current sequence of "." and ".." segments begins.
        int sequence = 0;
        for (int start = 0; start <= text.length(); ) {
            int stop = start;
            while (stop < text.length() && !isSeparator(text.charAt(stop))) {
                stop++;
            }
            if (isSegment("..", start, stop)) {
                if (!isReference(sequence, stop)) {
                    return true;
                }
            } else if (!isSegment(".", start, stop)) {
                sequence = beginsReference(start, stop) ? stop - 2 : stop + 1;
            }
            start = stop + 1;
        }
        return false;
    }

    private boolean isSegment(String segment, int start, int stop) {
        return stop - start == segment.length() && text.startsWith(segment, start);
    }

    /** Whether a segment ends with ".." after a character that program text has before a relative reference. */
    private boolean beginsReference(int start, int stop) {
        return stop - start > 2 && text.startsWith("..", stop - 2) && isDelimiter(text.charAt(stop - 3));
    }

    /** Whether a sequence of ".." segments is a relative reference in program text, and not the path as a whole. */
    private boolean isReference(int sequence, int at) {
        boolean begins = sequence == 0 ? severalLines : isDelimiter(text.charAt(sequence - 1));
        // A path ends where the text ends; a reference in program text is followed by more of the program.
        return begins && lastDelimiter >= at;
    }

    private boolean isDelimiter(char character) {
        return CODE.indexOf(character) >= 0 || (code && Character.isWhitespace(character));
    }

    private static boolean isSeparator(char character) {
        return character == '/' || character == '\\';
    }

    /** Decodes the percent-encoded dots and separators, even if they are encoded several times. */
    private static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        StringBuilder decoded = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '%') {
                int code = at + 1;
                while (text.startsWith("25", code)) {
                    code += 2;
                }
                char encoded = text.regionMatches(true, code, "2e", 0, 2)
                        ? '.'
                        : text.regionMatches(true, code, "2f", 0, 2)
                                ? '/'
                                : text.regionMatches(true, code, "5c", 0, 2) ? '\\' : '\0';
                if (encoded != '\0') {
                    character = encoded;
                    at = code + 1;
                }
            }
            decoded.append(character);
        }
        return decoded.toString();
    }
}
