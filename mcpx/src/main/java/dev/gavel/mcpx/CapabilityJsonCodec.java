package dev.gavel.mcpx;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads and writes a capability set as a JSON array of kind patterns and payload patterns. */
final class CapabilityJsonCodec {
    private static final StrictJsonParserFactory JSON = new StrictJsonParserFactory(EnvelopeLimits.DEFAULT);

    private CapabilityJsonCodec() {}

    static byte[] write(CapabilitySet capabilitySet, EnvelopeSyntax syntaxVersion) {
        return JsonByteWriter.write(generator -> write(generator, capabilitySet, syntaxVersion));
    }

    static void write(JsonGenerator generator, CapabilitySet capabilitySet, EnvelopeSyntax syntaxVersion) {
        generator.writeStartArray();
        for (Capability each : capabilitySet.asList()) {
            PayloadPattern payload = each.payload();
            if (payload == null) {
                generator.writeString(each.kind(syntaxVersion));
            } else {
                generator.writeStartObject();
                generator.writeStringProperty("kind", each.kind(syntaxVersion));
                generator.writeName("payload");
                write(generator, payload);
                generator.writeEndObject();
            }
        }
        generator.writeEndArray();
    }

    private static void write(JsonGenerator generator, PayloadPattern pattern) {
        switch (pattern) {
            case PayloadPattern.Fields(Map<String, PayloadPattern> fields) -> {
                generator.writeStartObject();
                fields.forEach((name, of) -> {
                    generator.writeName(name);
                    write(generator, of);
                });
                generator.writeEndObject();
            }
            case PayloadPattern.AnyOf(List<PayloadPattern> patterns) -> {
                generator.writeStartArray();
                patterns.forEach(each -> write(generator, each));
                generator.writeEndArray();
            }
            case PayloadPattern.Text(String text) -> generator.writeString(text);
        }
    }

    static ValueParseResult<CapabilitySet> read(byte[] json) {
        try (JsonParser parser = JSON.createParser(json, 0, json.length)) {
            var tokenReader = new JsonTokenReader(parser, EnvelopeLimits.DEFAULT);
            var read = new ArrayList<Capability>();
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                return new ValueParseResult.Invalid<>("capabilities must be an array");
            }
            for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
                Capability capability = capability(tokenReader, item);
                if (capability != null) {
                    read.add(capability);
                }
            }
            if (read.size() > CapabilitySet.MAX_SIZE) {
                tokenReader.reportProblem("more than " + CapabilitySet.MAX_SIZE + " capabilities: use wildcards");
            }
            if (parser.nextToken() != null) {
                tokenReader.reportProblem("there is extra data after the array of capabilities");
            }
            String problem = tokenReader.firstProblem();
            return problem == null
                    ? new ValueParseResult.Valid<>(CapabilitySet.of(read))
                    : new ValueParseResult.Invalid<>(problem);
        } catch (JacksonException e) {
            return new ValueParseResult.Invalid<>("the capabilities are not valid JSON, or exceed the limits");
        }
    }

    private static @Nullable Capability capability(JsonTokenReader tokenReader, JsonToken item) {
        String kind = null;
        PayloadPattern payload = null;
        if (item == JsonToken.VALUE_STRING) {
            kind = tokenReader.parser.getString();
        } else if (item == JsonToken.START_OBJECT) {
            tokenReader.beginObject();
            for (String name = tokenReader.nextName(); name != null; name = tokenReader.nextName()) {
                JsonToken value = tokenReader.nextValue();
                switch (name) {
                    case "kind" -> kind = tokenReader.stringValue(value, "kind");
                    case "payload" -> payload = pattern(tokenReader, value);
                    default -> {
                        tokenReader.reportProblem("a capability can have only 'kind' and 'payload', not "
                                + InputExcerptFormatter.quote(name));
                        tokenReader.skipValue(value);
                    }
                }
            }
        } else {
            tokenReader.skipValue(item);
        }
        if (kind == null) {
            tokenReader.reportProblem("a capability must be a pattern of kinds or an object with 'kind' and 'payload'");
            return null;
        }
        return switch (Capability.compile(kind, payload)) {
            case ValueParseResult.Valid<Capability>(Capability compiled) -> compiled;
            case ValueParseResult.Invalid<Capability>(String problem) -> {
                tokenReader.reportProblem(problem);
                yield null;
            }
        };
    }

    private static PayloadPattern pattern(JsonTokenReader tokenReader, JsonToken value) {
        return switch (value) {
            case START_OBJECT -> {
                var fields = new LinkedHashMap<String, PayloadPattern>();
                tokenReader.beginObject();
                for (String name = tokenReader.nextName(); name != null; name = tokenReader.nextName()) {
                    fields.put(name, pattern(tokenReader, tokenReader.nextValue()));
                }
                yield new PayloadPattern.Fields(fields);
            }
            case START_ARRAY -> {
                var patterns = new ArrayList<PayloadPattern>();
                for (JsonToken item = tokenReader.nextValue();
                        item != JsonToken.END_ARRAY;
                        item = tokenReader.nextValue()) {
                    patterns.add(pattern(tokenReader, item));
                }
                yield new PayloadPattern.AnyOf(patterns);
            }
            default -> new PayloadPattern.Text(tokenReader.parser.getString());
        };
    }
}
