package dev.gavel.app.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.util.Locale;

/** Makes text fit for a log: bounded, and without characters that would look like another line or steer a terminal. Stateless. */
final class LogText {
    private static final int LONGEST = 8 * 1024;

    private LogText() {}

    /** The text on one line; what is no visible character is shown as an escape. */
    static String line(String text) {
        String bounded = bounded(text);
        StringBuilder line = new StringBuilder(bounded.length());
        bounded.codePoints().forEach(each -> {
            if (isVisible(each)) {
                line.appendCodePoint(each);
            } else {
                line.append(String.format(Locale.ROOT, "\\u%04x", each));
            }
        });
        return line.toString();
    }

    /** The text, cut where it is too long. */
    static String bounded(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /** Where it came from, line by line. */
    static String stack(IThrowableProxy thrown) {
        return bounded(ThrowableProxyUtil.asString(thrown));
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
