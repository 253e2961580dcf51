package dev.gavel.mcpx;

import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.ByteArrayBuilder;

/** Writes JSON to a byte array through a Jackson generator. Thread-safe. */
public final class JsonByteWriter {
    private static final JsonFactory FACTORY = JsonFactory.builder().build();

    private JsonByteWriter() {}

    /** Returns the bytes that {@code content} writes to the generator. */
    public static byte[] write(Consumer<JsonGenerator> content) {
        var bytes = new ByteArrayBuilder(512);
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            content.accept(generator);
        }
        return bytes.toByteArray();
    }
}
