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

    static byte[] write(CapabilitySet capabilitySet, SyntaxVersion syntaxVersion) {
        return JsonByteWriter.write(generator -> write(generator, capabilitySet, syntaxVersion));
    }

    static void write(JsonGenerator generator, CapabilitySet capabilitySet, SyntaxVersion syntaxVersion) {
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

    static TextParseResult<CapabilitySet> read(byte[] json) {
        try (JsonParser parser = JSON.createParser(json, 0, json.length)) {
            var walk = new JsonTokenReader(parser, EnvelopeLimits.DEFAULT);
            var read = new ArrayList<Capability>();
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                return new TextParseResult.Invalid<>("capabilities must be an array");
            }
            for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
                Capability capability = capability(walk, item);
                if (capability != null) {
                    read.add(capability);
                }
            }
            if (read.size() > CapabilitySet.MAX_SIZE) {
                walk.reportProblem("more than " + CapabilitySet.MAX_SIZE + " capabilities: use wildcards");
            }
            if (parser.nextToken() != null) {
                walk.reportProblem("something follows the array of capabilities");
            }
            String problem = walk.firstProblem();
            return problem == null
                    ? new TextParseResult.Valid<>(CapabilitySet.of(read))
                    : new TextParseResult.Invalid<>(problem);
        } catch (JacksonException e) {
            return new TextParseResult.Invalid<>("capabilities are not valid JSON within the limits");
        }
    }

    private static @Nullable Capability capability(JsonTokenReader walk, JsonToken item) {
        String kind = null;
        PayloadPattern payload = null;
        if (item == JsonToken.VALUE_STRING) {
            kind = walk.parser.getString();
        } else if (item == JsonToken.START_OBJECT) {
            walk.beginObject();
            for (String name = walk.nextName(); name != null; name = walk.nextName()) {
                JsonToken value = walk.nextValue();
                switch (name) {
                    case "kind" -> kind = walk.stringValue(value, "kind");
                    case "payload" -> payload = pattern(walk, value);
                    default -> {
                        walk.reportProblem("a capability has 'kind' and 'payload', not " + InputExcerpt.quote(name));
                        walk.skipValue(value);
                    }
                }
            }
        } else {
            walk.skipValue(item);
        }
        if (kind == null) {
            walk.reportProblem("a capability is a pattern of kinds, or an object of 'kind' and 'payload'");
            return null;
        }
        return switch (Capability.compile(kind, payload)) {
            case TextParseResult.Valid<Capability>(Capability compiled) -> compiled;
            case TextParseResult.Invalid<Capability>(String problem) -> {
                walk.reportProblem(problem);
                yield null;
            }
        };
    }

    private static PayloadPattern pattern(JsonTokenReader walk, JsonToken value) {
        return switch (value) {
            case START_OBJECT -> {
                var fields = new LinkedHashMap<String, PayloadPattern>();
                walk.beginObject();
                for (String name = walk.nextName(); name != null; name = walk.nextName()) {
                    fields.put(name, pattern(walk, walk.nextValue()));
                }
                yield new PayloadPattern.Fields(fields);
            }
            case START_ARRAY -> {
                var patterns = new ArrayList<PayloadPattern>();
                for (JsonToken item = walk.nextValue(); item != JsonToken.END_ARRAY; item = walk.nextValue()) {
                    patterns.add(pattern(walk, item));
                }
                yield new PayloadPattern.AnyOf(patterns);
            }
            default -> new PayloadPattern.Text(walk.parser.getString());
        };
    }
}
