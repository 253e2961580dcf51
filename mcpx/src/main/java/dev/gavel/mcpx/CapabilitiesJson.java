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

/** Capabilities as JSON: a string where the kind is all, else an object of {@code kind} and {@code payload}. */
final class CapabilitiesJson {
    private static final StrictJson JSON = new StrictJson(Limits.DEFAULT);

    private CapabilitiesJson() {}

    static byte[] write(Capabilities capabilities, Spelling spelling) {
        return JsonText.write(generator -> write(generator, capabilities, spelling));
    }

    static void write(JsonGenerator generator, Capabilities capabilities, Spelling spelling) {
        generator.writeStartArray();
        for (Capability each : capabilities.asList()) {
            PayloadPattern payload = each.payload();
            if (payload == null) {
                generator.writeString(each.kind(spelling));
            } else {
                generator.writeStartObject();
                generator.writeStringProperty("kind", each.kind(spelling));
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

    static Parsed<Capabilities> read(byte[] json) {
        try (JsonParser parser = JSON.parser(json, 0, json.length)) {
            var walk = new JsonWalk(parser, Limits.DEFAULT);
            var read = new ArrayList<Capability>();
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                return new Parsed.Invalid<>("capabilities must be an array");
            }
            for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
                Capability capability = capability(walk, item);
                if (capability != null) {
                    read.add(capability);
                }
            }
            if (read.size() > Capabilities.MOST) {
                walk.wrong("more than " + Capabilities.MOST + " capabilities: use wildcards");
            }
            if (parser.nextToken() != null) {
                walk.wrong("something follows the array of capabilities");
            }
            String problem = walk.problem();
            return problem == null ? new Parsed.Valid<>(Capabilities.of(read)) : new Parsed.Invalid<>(problem);
        } catch (JacksonException e) {
            return new Parsed.Invalid<>("capabilities are not valid JSON within the limits");
        }
    }

    private static @Nullable Capability capability(JsonWalk walk, JsonToken item) {
        String kind = null;
        PayloadPattern payload = null;
        if (item == JsonToken.VALUE_STRING) {
            kind = walk.parser.getString();
        } else if (item == JsonToken.START_OBJECT) {
            walk.enter();
            for (String name = walk.nextName(); name != null; name = walk.nextName()) {
                JsonToken value = walk.value();
                switch (name) {
                    case "kind" -> kind = walk.string(value, "kind");
                    case "payload" -> payload = pattern(walk, value);
                    default -> {
                        walk.wrong("a capability has 'kind' and 'payload', not " + Excerpt.of(name));
                        walk.skip(value);
                    }
                }
            }
        } else {
            walk.skip(item);
        }
        if (kind == null) {
            walk.wrong("a capability is a pattern of kinds, or an object of 'kind' and 'payload'");
            return null;
        }
        return switch (Capability.compile(kind, payload)) {
            case Parsed.Valid<Capability>(Capability compiled) -> compiled;
            case Parsed.Invalid<Capability>(String problem) -> {
                walk.wrong(problem);
                yield null;
            }
        };
    }

    private static PayloadPattern pattern(JsonWalk walk, JsonToken value) {
        return switch (value) {
            case START_OBJECT -> {
                var fields = new LinkedHashMap<String, PayloadPattern>();
                walk.enter();
                for (String name = walk.nextName(); name != null; name = walk.nextName()) {
                    fields.put(name, pattern(walk, walk.value()));
                }
                yield new PayloadPattern.Fields(fields);
            }
            case START_ARRAY -> {
                var patterns = new ArrayList<PayloadPattern>();
                for (JsonToken item = walk.value(); item != JsonToken.END_ARRAY; item = walk.value()) {
                    patterns.add(pattern(walk, item));
                }
                yield new PayloadPattern.AnyOf(patterns);
            }
            default -> new PayloadPattern.Text(walk.parser.getString());
        };
    }
}
