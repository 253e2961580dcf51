package dev.gavel.client.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The filter, cursor and page size with which the client lists a topic's proposals.
 *
 * @param cursor the end of the previous page; empty for the first page
 */
public record ProposalQuery(Optional<String> state, Optional<String> from, Optional<String> cursor, int limit) {
    Map<String, String> toParameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        state.ifPresent(value -> parameters.put("state", value));
        from.ifPresent(value -> parameters.put("from", value));
        cursor.ifPresent(value -> parameters.put("cursor", value));
        parameters.put("limit", Integer.toString(limit));
        return parameters;
    }
}
