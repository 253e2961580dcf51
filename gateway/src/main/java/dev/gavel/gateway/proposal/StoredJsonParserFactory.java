package dev.gavel.gateway.proposal;

import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Creates parsers without size limits for JSON that is read back from the ledger. Thread-safe. */
final class StoredJsonParserFactory {
    /**
     * The stored JSON was checked against an envelope's limits on receipt; stricter limits must not make it unreadable
     * now.
     */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private StoredJsonParserFactory() {}

    static JsonParser create(byte[] json) {
        return FACTORY.createParser(ObjectReadContext.empty(), json);
    }
}
