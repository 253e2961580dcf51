package dev.gavel.app.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import org.slf4j.event.KeyValuePair;

/**
 * Writes an event as a line for people; a stack trace follows on lines that begin with a tab, as no event's first line
 * does.
 */
final class TextLines extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String logger = event.getLoggerName();
        StringBuilder line = new StringBuilder(160)
                .append(TIME.format(event.getInstant().atZone(ZoneId.systemDefault())))
                .append(' ')
                .append(String.format("%-5s", event.getLevel()))
                .append(' ')
                .append(logger.substring(logger.lastIndexOf('.') + 1))
                .append(": ")
                .append(LogText.line(String.valueOf(event.getFormattedMessage())));
        for (KeyValuePair pair : Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of())) {
            line.append(' ').append(pair.key).append('=').append(LogText.line(String.valueOf(pair.value)));
        }
        line.append('\n');
        if (event.getThrowableProxy() != null) {
            LogText.stack(event.getThrowableProxy())
                    .lines()
                    .forEach(each ->
                            line.append('\t').append(LogText.line(each.strip())).append('\n'));
        }
        return line.toString().getBytes(UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
