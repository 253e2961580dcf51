package dev.gavel.app.cli;

import dev.gavel.ledger.Event;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes events as JSON in UTF-8, one a line; closing it writes what is left, and does not close the stream. Failures are
 * {@link UncheckedIOException}s. Not thread-safe.
 */
final class EventLines implements AutoCloseable {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .rootValueSeparator((String) null)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private final JsonGenerator json;

    EventLines(OutputStream stream) {
        this.json = FACTORY.createGenerator(ObjectWriteContext.empty(), stream);
    }

    void write(Event event) {
        try {
            json.writeStartObject();
            json.writeStringProperty("topic", event.stream());
            json.writeNumberProperty("seq", event.seq());
            json.writeStringProperty("at", event.at().toString());
            json.writeStringProperty("proposal", event.subject());
            json.writeStringProperty("type", event.type());
            json.writeStringProperty("by", event.actor());
            if (event.reference() != null) {
                json.writeStringProperty("envelope", event.reference());
            }
            json.writeName("body");
            json.writeRawValue(onOneLine(event.body().toString()));
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (JacksonIOException e) {
            throw new UncheckedIOException(e.getCause());
        }
    }

    /** In JSON a line break can only stand between tokens: within a text it is escaped. */
    private static String onOneLine(String body) {
        return body.replace('\n', ' ').replace('\r', ' ');
    }

    @Override
    public void close() {
        try {
            json.close();
        } catch (JacksonIOException e) {
            throw new UncheckedIOException(e.getCause());
        }
    }
}
