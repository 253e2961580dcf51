package dev.gavel.app.trace;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One finished span of a proposal's trace, with its times, attributes and whether it failed. Immutable.
 *
 * @param parent the id of the span it is part of
 * @param failed whether what it stands for went wrong
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
        // Clocks may be set back; a collector would refuse a span that ends before it began.
        end = end.isBefore(start) ? start : end;
    }
}
