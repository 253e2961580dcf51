package dev.gavel.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.util.Locale;

/** Truncates untrusted text for the log and escapes line breaks and control characters. Stateless. */
final class LogTextSanitizer {
    private static final int MAX_LENGTH = 8 * 1024;

    private LogTextSanitizer() {}

    /** Returns the text on one line, truncated; characters that are not visible become escapes. */
    static String singleLine(String text) {
        String truncated = truncate(text);
        StringBuilder line = new StringBuilder(truncated.length());
        truncated.codePoints().forEach(each -> {
            if (isVisible(each)) {
                line.appendCodePoint(each);
            } else {
                line.append(String.format(Locale.ROOT, "\\u%04x", each));
            }
        });
        return line.toString();
    }

    /**
     * Returns the JSON text with each invisible character as a JSON escape, so that a parser still reads the same
     * value.
     */
    static String escapeJson(String json) {
        StringBuilder line = new StringBuilder(json.length());
        json.codePoints().forEach(each -> {
            if (isVisible(each)) {
                line.appendCodePoint(each);
            } else {
                for (char codeUnit : Character.toChars(each)) {
                    line.append(String.format(Locale.ROOT, "\\u%04x", (int) codeUnit));
                }
            }
        });
        return line.toString();
    }

    /** Truncates the text, never within a character. An unpaired surrogate, which JSON cannot hold, becomes '?'. */
    static String truncateToUnicode(String text) {
        return new String(truncate(text).getBytes(UTF_8), UTF_8);
    }

    /** Truncates the text if it is too long, never within a surrogate pair. */
    static String truncate(String text) {
        if (text.length() <= MAX_LENGTH) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
        return text.substring(0, end) + "…";
    }

    /** The stack trace as text, truncated. */
    static String stackTrace(IThrowableProxy thrown) {
        return truncate(ThrowableProxyUtil.asString(thrown));
    }

    private static boolean isVisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
