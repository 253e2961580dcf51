package dev.gavel.mcpx;

import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.core.util.JsonRecyclerPools;

/** Creates Jackson parsers for strict UTF-8 JSON within envelope limits. Thread-safe. */
final class StrictJsonParserFactory {
    /** With more cached names than this, each new name costs more than the cache saves. */
    private static final int MAX_CACHED_NAMES = 400;

    private volatile CountingJsonFactory factory;

    StrictJsonParserFactory(EnvelopeLimits limits) {
        var constraints = StreamReadConstraints.builder()
                .maxNestingDepth(limits.depth())
                .maxTokenCount(limits.tokens())
                .maxNameLength(limits.nameLength())
                .maxNumberLength(limits.numberLength())
                .maxStringLength(limits.bytes())
                .build();
        factory = new CountingJsonFactory(JsonFactory.builder()
                .streamReadConstraints(constraints)
                // Bytes are UTF-8 by contract; charset detection would also accept UTF-16.
                .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
                .recyclerPool(JsonRecyclerPools.threadLocalPool()));
    }

    JsonParser createParser(byte[] bytes, int offset, int length) {
        CountingJsonFactory current = factory;
        if (current.cachedNameCount() > MAX_CACHED_NAMES) {
            // Jackson shares names between parsers and copies its table whenever a message contains a new one. Senders
            // choose the names, so an unbounded table would make every message with a new name slow.
            current = new CountingJsonFactory(current.rebuild());
            factory = current;
        }
        return current.createParser(ObjectReadContext.empty(), bytes, offset, length);
    }

    /** The number of names that future parsers share. */
    int cachedNameCount() {
        return factory.cachedNameCount();
    }

    private static final class CountingJsonFactory extends JsonFactory {
        CountingJsonFactory(JsonFactoryBuilder builder) {
            super(builder);
        }

        int cachedNameCount() {
            return _byteSymbolCanonicalizer.size();
        }
    }
}
