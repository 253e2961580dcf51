package dev.gavel.mcpx;

import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.core.util.JsonRecyclerPools;

/** Jackson set up to read UTF-8 JSON within limits and nothing else. Thread-safe. */
final class StrictJson {
    /** Beyond this many names remembered, a new name in a message costs more than remembering saves. */
    private static final int NAMES_REMEMBERED = 400;

    private volatile Factory factory;

    StrictJson(Limits limits) {
        var constraints = StreamReadConstraints.builder()
                .maxNestingDepth(limits.depth())
                .maxTokenCount(limits.tokens())
                .maxNameLength(limits.nameLength())
                .maxNumberLength(limits.numberLength())
                .maxStringLength(limits.bytes())
                .build();
        factory = new Factory(JsonFactory.builder()
                .streamReadConstraints(constraints)
                // Bytes are UTF-8 by contract; guessing would let UTF-16 in by the back door.
                .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
                .recyclerPool(JsonRecyclerPools.threadLocalPool()));
    }

    JsonParser parser(byte[] bytes, int offset, int length) {
        Factory current = factory;
        if (current.namesRemembered() > NAMES_REMEMBERED) {
            // Jackson shares names between parsers and copies its table whenever a message brings a new one. Senders
            // choose the names, so a table left to grow would make every message with a new name slow.
            current = new Factory(current.rebuild());
            factory = current;
        }
        return current.createParser(ObjectReadContext.empty(), bytes, offset, length);
    }

    /** How many names the parsers to come share. */
    int namesRemembered() {
        return factory.namesRemembered();
    }

    private static final class Factory extends JsonFactory {
        Factory(JsonFactoryBuilder builder) {
            super(builder);
        }

        int namesRemembered() {
            return _byteSymbolCanonicalizer.size();
        }
    }
}
