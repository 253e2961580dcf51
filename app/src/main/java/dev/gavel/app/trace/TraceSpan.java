package dev.gavel.app.trace;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One finished span of a proposal's trace, with its times, attributes and whether it failed. Immutable.
 *
 * @param parent the id of the parent span
 * @param failed whether the operation failed
 */
record TraceSpan(
        String traceId,
        String id,
        Optional<String> parent,
        String name,
        Instant start,
        Instant end,
        Map<String, String> attributes,
        boolean failed) {
    TraceSpan {
        attributes = new LinkedHashMap<>(attributes);
        // Clocks may be set back, and a collector would reject a span that ends before it starts.
        end = end.isBefore(start) ? start : end;
    }
}
