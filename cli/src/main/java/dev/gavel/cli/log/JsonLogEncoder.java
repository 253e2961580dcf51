package dev.gavel.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.gavel.mcpx.JsonByteWriter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.slf4j.event.KeyValuePair;
import tools.jackson.core.JsonGenerator;

/** Encodes a log event as one line of JSON with its key-value pairs as fields. */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
    private static final Set<String> RESERVED_FIELDS = Set.of("ts", "level", "logger", "message", "thread", "error");

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        byte[] json = JsonByteWriter.write(generator -> {
            generator.writeStartObject();
            write(generator, event);
            generator.writeEndObject();
        });
        return (LogTextSanitizer.escapeJson(new String(json, UTF_8)) + "\n").getBytes(UTF_8);
    }

    private static void write(JsonGenerator json, ILoggingEvent event) {
        json.writeStringProperty("ts", event.getInstant().toString());
        json.writeStringProperty("level", event.getLevel().toString());
        json.writeStringProperty("logger", event.getLoggerName());
        json.writeStringProperty(
                "message", LogTextSanitizer.truncateToUnicode(String.valueOf(event.getFormattedMessage())));
        json.writeStringProperty("thread", event.getThreadName());
        for (KeyValuePair pair : Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of())) {
            json.writeStringProperty(
                    RESERVED_FIELDS.contains(pair.key) ? pair.key + "_" : pair.key,
                    LogTextSanitizer.truncateToUnicode(String.valueOf(pair.value)));
        }
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            json.writeObjectPropertyStart("error");
            json.writeStringProperty("class", thrown.getClassName());
            json.writeStringProperty(
                    "message", LogTextSanitizer.truncateToUnicode(String.valueOf(thrown.getMessage())));
            json.writeStringProperty("stack", LogTextSanitizer.truncateToUnicode(LogTextSanitizer.stackTrace(thrown)));
            json.writeEndObject();
        }
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
