package dev.gavel.app.trace;

import dev.gavel.cli.build.BuildInfo;
import dev.gavel.mcpx.JsonByteWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JsonGenerator;

/** Encodes spans as OTLP JSON. Stateless. */
final class OtlpJsonWriter {
    private static final int INTERNAL = 1;
    private static final int ERROR = 2;

    private OtlpJsonWriter() {}

    static byte[] encode(List<TraceSpan> spans) {
        return JsonByteWriter.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("resourceSpans");
            json.writeStartObject();
            json.writeObjectPropertyStart("resource");
            attributes(json, Map.of("service.name", "gavel", "service.version", BuildInfo.version()));
            json.writeEndObject();
            json.writeArrayPropertyStart("scopeSpans");
            json.writeStartObject();
            json.writeObjectPropertyStart("scope");
            json.writeStringProperty("name", "dev.gavel");
            json.writeEndObject();
            json.writeArrayPropertyStart("spans");
            spans.forEach(span -> span(json, span));
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void span(JsonGenerator json, TraceSpan span) {
        json.writeStartObject();
        json.writeStringProperty("traceId", span.traceId());
        json.writeStringProperty("spanId", span.id());
        span.parent().ifPresent(parent -> json.writeStringProperty("parentSpanId", parent));
        json.writeStringProperty("name", span.name());
        json.writeNumberProperty("kind", INTERNAL);
        json.writeStringProperty("startTimeUnixNano", nanos(span.start()));
        json.writeStringProperty("endTimeUnixNano", nanos(span.end()));
        attributes(json, span.attributes());
        if (span.failed()) {
            json.writeObjectPropertyStart("status");
            json.writeNumberProperty("code", ERROR);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void attributes(JsonGenerator json, Map<String, String> attributes) {
        json.writeArrayPropertyStart("attributes");
        attributes.forEach((key, value) -> {
            json.writeStartObject();
            json.writeStringProperty("key", key);
            json.writeObjectPropertyStart("value");
            json.writeStringProperty("stringValue", value);
            json.writeEndObject();
            json.writeEndObject();
        });
        json.writeEndArray();
    }

    /** Formats a time. OTLP's JSON writes 64-bit numbers as strings. */
    private static String nanos(Instant at) {
        return Long.toString(Math.addExact(TimeUnit.SECONDS.toNanos(at.getEpochSecond()), at.getNano()));
    }
}
