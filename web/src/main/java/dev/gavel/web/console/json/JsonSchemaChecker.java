package dev.gavel.web.console.json;

import dev.gavel.mcpx.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Checks a JSON value against the common keywords of a JSON schema and lists what is wrong. The check ignores keywords
 * that it does not know, so that it never reports a valid value; the tool's own server has the final say. It also
 * ignores patterns, because they are untrusted input and some take very long to match. Immutable.
 */
public final class JsonSchemaChecker {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_VIOLATIONS = 20;
    private static final int MAX_STEPS = 20_000;

    /** A longer number is not a realistic bound, and is not compared. */
    private static final int MAX_NUMBER_LENGTH = 40;

    private final Json root;

    /** Creates a checker. A value that is not a schema allows everything. */
    public JsonSchemaChecker(Json root) {
        this.root = root;
    }

    /** A violation of the schema, and its path in the value. */
    public record SchemaViolation(JsonValuePath path, String message) {}

    /** Returns the first violations of the schema. */
    public List<SchemaViolation> validate(Json value) {
        ViolationCollector violationCollector = new ViolationCollector(new AtomicInteger(MAX_STEPS));
        check(root, value, JsonValuePath.ROOT, 0, violationCollector);
        return violationCollector.schemaViolations();
    }

    /**
     * Collects violations.
     *
     * @param steps the number of checks that remain: a schema can refer to itself without end
     */
    private record ViolationCollector(List<SchemaViolation> schemaViolations, AtomicInteger steps) {
        ViolationCollector(AtomicInteger steps) {
            this(new ArrayList<>(), steps);
        }

        boolean full() {
            return schemaViolations.size() >= MAX_VIOLATIONS || steps.get() < 0;
        }

        void accept(SchemaViolation schemaViolation) {
            if (schemaViolations.size() < MAX_VIOLATIONS) {
                schemaViolations.add(schemaViolation);
            }
        }
    }

    private void check(Json schema, Json value, JsonValuePath path, int depth, ViolationCollector sink) {
        if (depth > MAX_DEPTH || sink.steps().decrementAndGet() < 0) {
            return;
        }
        if (schema.type() == Json.Type.BOOLEAN && !schema.isTrue()) {
            sink.accept(new SchemaViolation(path, "is not allowed"));
            return;
        }
        if (schema.type() != Json.Type.OBJECT) {
            return;
        }
        resolveReference(schema).forEach(other -> check(other, value, path, depth + 1, sink));
        Set<String> types = Set.copyOf(schema.at("type").texts());
        if (!types.isEmpty() && types.stream().noneMatch(type -> hasType(value, type))) {
            sink.accept(new SchemaViolation(
                    path,
                    "must be "
                            + joinWithOr(types.stream()
                                    .sorted()
                                    .map(JsonSchemaChecker::typeText)
                                    .toList())));
            return;
        }
        checkEnum(schema, value, path, sink);
        checkBounds(schema, value, path, sink);
        switch (value.type()) {
            case OBJECT -> members(schema, value, path, depth, sink);
            case ARRAY -> checkElements(schema, value, path, depth, sink);
            default -> {}
        }
        schema.at("allOf").elements().forEach(each -> check(each, value, path, depth + 1, sink));
        for (String any : List.of("anyOf", "oneOf")) {
            List<Json> alternatives = schema.at(any).elements();
            if (!alternatives.isEmpty() && alternatives.stream().noneMatch(each -> matches(each, value, depth, sink))) {
                sink.accept(new SchemaViolation(path, "matches none of the " + alternatives.size() + " allowed forms"));
            }
        }
    }

    private boolean matches(Json schema, Json value, int depth, ViolationCollector sink) {
        ViolationCollector tried = new ViolationCollector(sink.steps());
        check(schema, value, JsonValuePath.ROOT, depth + 1, tried);
        return tried.schemaViolations().isEmpty();
    }

    /** Returns the schema to which a schema refers within the same document, if any. */
    private List<Json> resolveReference(Json schema) {
        String reference = schema.at("$ref").text();
        if (!reference.startsWith("#/")) {
            return List.of();
        }
        Json found = root;
        for (String step : reference.substring(2).split("/", -1)) {
            found = found.at(step.replace("~1", "/").replace("~0", "~"));
        }
        return found.isPresent() ? List.of(found) : List.of();
    }

    private static boolean hasType(Json value, String type) {
        return switch (type) {
            case "object" -> value.type() == Json.Type.OBJECT;
            case "array" -> value.type() == Json.Type.ARRAY;
            case "string" -> value.type() == Json.Type.TEXT;
            case "number" -> value.type() == Json.Type.NUMBER;
            case "integer" -> value.type() == Json.Type.NUMBER && isInteger(value.text());
            case "boolean" -> value.type() == Json.Type.BOOLEAN;
            case "null" -> value.type() == Json.Type.NULL;
            default -> true;
        };
    }

    private static boolean isInteger(String number) {
        if (number.length() > MAX_NUMBER_LENGTH) {
            return true;
        }
        BigDecimal value = new BigDecimal(number);
        return value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
    }

    private static String typeText(String type) {
        return switch (type) {
            case "object" -> "an object {…}";
            case "array" -> "an array […]";
            case "string" -> "a string in double quotes";
            case "integer" -> "a whole number";
            case "boolean" -> "true or false";
            case "null" -> "null";
            default -> "a " + type;
        };
    }

    private static void checkEnum(Json schema, Json value, JsonValuePath path, ViolationCollector sink) {
        List<Json> allowed = schema.at("enum").elements();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(value::equals)) {
            sink.accept(new SchemaViolation(
                    path,
                    "must be "
                            + joinWithOr(allowed.stream()
                                    .limit(MAX_VIOLATIONS)
                                    .map(Json::compact)
                                    .toList())));
        }
        Json only = schema.at("const");
        if (only.isPresent() && !only.equals(value)) {
            sink.accept(new SchemaViolation(path, "must be " + only.compact()));
        }
    }

    private static void checkBounds(Json schema, Json value, JsonValuePath path, ViolationCollector sink) {
        switch (value.type()) {
            case NUMBER -> {
                if (violatesBound(schema, "minimum", value, -1)
                        || violatesBound(schema, "exclusiveMinimum", value, 0)) {
                    sink.accept(new SchemaViolation(path, "is too small"));
                }
                if (violatesBound(schema, "maximum", value, 1) || violatesBound(schema, "exclusiveMaximum", value, 0)) {
                    sink.accept(new SchemaViolation(path, "is too large"));
                }
            }
            case TEXT -> {
                String text = value.text();
                checkSize(schema, "Length", text.codePointCount(0, text.length()), "character", path, sink);
            }
            case ARRAY -> checkSize(schema, "Items", value.elements().size(), "element", path, sink);
            default -> {}
        }
    }

    /**
     * Whether a number violates a bound.
     *
     * @param sign the result of comparing the number with the bound that is a violation; 0 if the bound itself is also
     *     a violation
     */
    private static boolean violatesBound(Json schema, String keyword, Json value, int sign) {
        Json bound = schema.at(keyword);
        if (bound.type() != Json.Type.NUMBER
                || bound.text().length() > MAX_NUMBER_LENGTH
                || value.text().length() > MAX_NUMBER_LENGTH) {
            return false;
        }
        int compared = new BigDecimal(value.text()).compareTo(new BigDecimal(bound.text()));
        return sign == 0
                ? keyword.equals("exclusiveMinimum") ? compared <= 0 : compared >= 0
                : Integer.signum(compared) == sign;
    }

    private static void checkSize(
            Json schema, String what, int size, String unit, JsonValuePath path, ViolationCollector sink) {
        long least = schema.at("min" + what).asLong(0);
        long most = schema.at("max" + what).asLong(Long.MAX_VALUE);
        if (size < least) {
            sink.accept(
                    new SchemaViolation(path, "must have at least " + least + " " + unit + (least == 1 ? "" : "s")));
        } else if (size > most) {
            sink.accept(new SchemaViolation(path, "must have at most " + most + " " + unit + (most == 1 ? "" : "s")));
        }
    }

    private void members(Json schema, Json value, JsonValuePath path, int depth, ViolationCollector sink) {
        Map<String, Json> known = schema.at("properties").members();
        for (String name : schema.at("required").texts()) {
            if (!value.at(name).isPresent()) {
                sink.accept(new SchemaViolation(path.child(name), "is missing"));
            }
        }
        Json others = schema.at("additionalProperties");
        boolean patterns = schema.at("patternProperties").isPresent();
        value.members().forEach((name, member) -> {
            if (sink.full()) {
                return;
            }
            Json described = known.get(name);
            if (described != null) {
                check(described, member, path.child(name), depth + 1, sink);
            } else if (!patterns && others.type() == Json.Type.BOOLEAN && !others.isTrue()) {
                sink.accept(new SchemaViolation(
                        path.child(name),
                        known.isEmpty()
                                ? "is unknown; no arguments are allowed here"
                                : "is unknown; known arguments: "
                                        + known.keySet().stream()
                                                .limit(MAX_VIOLATIONS)
                                                .collect(Collectors.joining(", "))
                                        + (known.size() > MAX_VIOLATIONS ? ", …" : "")));
            } else if (!patterns && others.type() == Json.Type.OBJECT) {
                check(others, member, path.child(name), depth + 1, sink);
            }
        });
    }

    private void checkElements(Json schema, Json value, JsonValuePath path, int depth, ViolationCollector sink) {
        Json items = schema.at("items");
        if (items.type() != Json.Type.OBJECT || schema.at("prefixItems").isPresent()) {
            return;
        }
        List<Json> elements = value.elements();
        for (int i = 0; i < elements.size() && !sink.full(); i++) {
            check(items, elements.get(i), path.child(i), depth + 1, sink);
        }
    }

    private static String joinWithOr(List<String> words) {
        return words.size() < 2
                ? String.join("", words)
                : words.stream().limit(words.size() - 1L).collect(Collectors.joining(", ")) + " or " + words.getLast();
    }

    /**
     * A property that a schema describes.
     *
     * @param type the type as text; empty if any type is allowed
     */
    public record SchemaProperty(String name, String type, boolean required, String description) {}

    /** Returns the properties that the schema describes for an object. */
    public List<SchemaProperty> members() {
        Set<String> required = Set.copyOf(root.at("required").texts());
        return root.at("properties").members().entrySet().stream()
                .map(entry -> new SchemaProperty(
                        entry.getKey(),
                        describe(entry.getValue()),
                        required.contains(entry.getKey()),
                        entry.getValue().at("description").text()))
                .toList();
    }

    private static String describe(Json schema) {
        List<Json> allowed = schema.at("enum").elements();
        return allowed.isEmpty()
                ? String.join(" or ", schema.at("type").texts())
                : joinWithOr(allowed.stream()
                        .limit(MAX_VIOLATIONS)
                        .map(Json::compact)
                        .toList());
    }
}
