package dev.gavel.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import org.slf4j.event.KeyValuePair;

/** Encodes a log event as a text line for people, followed by an indented stack trace. */
final class TextLogEncoder extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String logger = event.getLoggerName();
        String message = String.valueOf(event.getFormattedMessage());
        StringBuilder line = new StringBuilder(160)
                .append(TIME.format(event.getInstant().atZone(ZoneId.systemDefault())))
                .append(' ')
                .append(String.format("%-5s", event.getLevel()))
                .append(' ')
                .append(logger.substring(logger.lastIndexOf('.') + 1))
                .append(": ")
                .append(LogTextSanitizer.singleLine(message));
        for (KeyValuePair pair : Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of())) {
            String value = String.valueOf(pair.value);
            if (!containsWord(message, value)) {
                line.append(' ').append(pair.key).append('=').append(LogTextSanitizer.singleLine(value));
            }
        }
        line.append('\n');
        if (event.getThrowableProxy() != null) {
            LogTextSanitizer.stackTrace(event.getThrowableProxy())
                    .lines()
                    .forEach(each -> line.append('\t')
                            .append(LogTextSanitizer.singleLine(each.strip()))
                            .append('\n'));
        }
        return line.toString().getBytes(UTF_8);
    }

    /** Whether the message contains the value as a separate word, so that the line need not repeat it. */
    private static boolean containsWord(String message, String value) {
        for (int at = message.indexOf(value); at >= 0 && !value.isEmpty(); at = message.indexOf(value, at + 1)) {
            int after = at + value.length();
            if ((at == 0 || !isWordCharacter(message.charAt(at - 1)))
                    && (after == message.length() || !isWordCharacter(message.charAt(after)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWordCharacter(char each) {
        return Character.isLetterOrDigit(each) || each == '-' || each == '_' || each == '@';
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
