package dev.gavel.app.command;

import dev.gavel.gateway.proposal.ProposalEventCodec;
import dev.gavel.ledger.ExportedEvent;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.LedgerEvent;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes ledger events as JSON lines for {@code gavel ledger export}. Failures are {@link UncheckedIOException}s. Not
 * thread-safe.
 */
final class LedgerEventJsonWriter implements AutoCloseable {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .rootValueSeparator((String) null)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private final JsonGenerator json;
    private final boolean withSecrets;

    /**
     * Creates a writer.
     *
     * @param withSecrets whether secret arguments are written; otherwise markers stand in their place
     */
    LedgerEventJsonWriter(OutputStream stream, boolean withSecrets) {
        this.withSecrets = withSecrets;
        this.json = FACTORY.createGenerator(ObjectWriteContext.empty(), stream);
    }

    /**
     * Writes one event. The body comes last, so that its exact bytes can be cut out of the line: the hash covers those
     * bytes.
     */
    void write(ExportedEvent exportedEvent) {
        LedgerEvent event = exportedEvent.event();
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
            writeHash("hash", exportedEvent.hash());
            writeHash("follows", exportedEvent.previousHash());
            Optional<byte[]> redacted = withSecrets
                    ? Optional.empty()
                    : ProposalEventCodec.redact(event.type(), event.body().bytes());
            if (redacted.isPresent()) {
                // The hash covers the original body. With its digest, a reader can still check the chain.
                json.writeBooleanProperty("redacted", true);
                writeHash("digest", HashChainCalculator.digest(event));
            }
            byte[] body = redacted.orElseGet(() -> event.body().bytes());
            writeBreaks(body);
            json.writeName("body");
            json.writeRawValue(onOneLine(new String(body, StandardCharsets.UTF_8)));
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (JacksonIOException e) {
            throw new UncheckedIOException(e.getCause());
        }
    }

    private void writeHash(String name, @Nullable Hash hash) {
        if (hash != null) {
            json.writeStringProperty(name, hash.toString());
        }
    }

    /** Writes the positions and kinds of the line breaks that are written as spaces. */
    private void writeBreaks(byte[] body) {
        boolean any = false;
        for (int i = 0; i < body.length; i++) {
            if (body[i] == '\n' || body[i] == '\r') {
                if (!any) {
                    json.writeArrayPropertyStart("breaks");
                    any = true;
                }
                json.writeStartArray();
                json.writeNumber(i);
                json.writeNumber(body[i]);
                json.writeEndArray();
            }
        }
        if (any) {
            json.writeEndArray();
        }
    }

    /**
     * Replaces line breaks by spaces. In JSON a raw line break can only stand between tokens, because strings escape
     * it.
     */
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
