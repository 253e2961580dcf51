package dev.gavel.client.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The filters, cursor and page size with which the client lists a topic's recorded calls.
 *
 * @param filters the values of the query parameters that select calls, by name, such as {@code by} or {@code outcome}
 * @param cursor the end of the previous page; empty for the first page
 */
public record CallListQuery(Map<String, String> filters, Optional<String> cursor, int limit) {
    public CallListQuery {
        filters = Map.copyOf(filters);
    }

    Map<String, String> toParameters() {
        Map<String, String> parameters = new LinkedHashMap<>(filters);
        cursor.ifPresent(value -> parameters.put("cursor", value));
        parameters.put("limit", Integer.toString(limit));
        return parameters;
    }
}
