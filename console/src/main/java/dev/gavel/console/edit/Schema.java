package dev.gavel.console.edit;

import dev.gavel.mcpx.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * What a value lacks by a JSON schema: types, members, bounds, choices. What it does not know of a schema it passes over,
 * so that it never calls wrong what is right; the tool's own server judges in the end. Patterns are among that: they come
 * from others, and some take for ever to match. Immutable.
 */
public final class Schema {
    private static final int DEEPEST = 32;
    private static final int MOST = 20;
    private static final int MOST_STEPS = 20_000;

    /** Longer numbers are no bounds anybody means. */
    private static final int LONGEST_NUMBER = 40;

    private final Json root;

    /** A schema; what is none allows everything. */
    public Schema(Json root) {
        this.root = root;
    }

    /** What is wrong with a value, and where. */
    public record Fault(Path path, String words) {}

    /** What is wrong with a value; the first few things. */
    public List<Fault> faults(Json value) {
        Findings findings = new Findings(new AtomicInteger(MOST_STEPS));
        check(root, value, Path.ROOT, 0, findings);
        return findings.faults();
    }

    /**
     * What was found so far.
     *
     * @param steps how many more may be taken: a schema can refer to itself in ways that never end
     */
    private record Findings(List<Fault> faults, AtomicInteger steps) {
        Findings(AtomicInteger steps) {
            this(new ArrayList<>(), steps);
        }

        boolean full() {
            return faults.size() >= MOST || steps.get() < 0;
        }

        void accept(Fault fault) {
            if (faults.size() < MOST) {
                faults.add(fault);
            }
        }
    }

    private void check(Json schema, Json value, Path path, int depth, Findings sink) {
        if (depth > DEEPEST || sink.steps().decrementAndGet() < 0) {
            return;
        }
        if (schema.type() == Json.Type.BOOLEAN && !schema.isTrue()) {
            sink.accept(new Fault(path, "must not be here"));
            return;
        }
        if (schema.type() != Json.Type.OBJECT) {
            return;
        }
        reference(schema).forEach(other -> check(other, value, path, depth + 1, sink));
        Set<String> types = Set.copyOf(schema.at("type").texts());
        if (!types.isEmpty() && types.stream().noneMatch(type -> is(value, type))) {
            sink.accept(new Fault(
                    path,
                    "must be "
                            + choice(
                                    types.stream().sorted().map(Schema::article).toList())));
            return;
        }
        choices(schema, value, path, sink);
        bounds(schema, value, path, sink);
        switch (value.type()) {
            case OBJECT -> members(schema, value, path, depth, sink);
            case ARRAY -> elements(schema, value, path, depth, sink);
            default -> {}
        }
        schema.at("allOf").elements().forEach(each -> check(each, value, path, depth + 1, sink));
        for (String any : List.of("anyOf", "oneOf")) {
            List<Json> alternatives = schema.at(any).elements();
            if (!alternatives.isEmpty() && alternatives.stream().noneMatch(each -> fits(each, value, depth, sink))) {
                sink.accept(new Fault(path, "is none of the " + alternatives.size() + " forms it may have"));
            }
        }
    }

    private boolean fits(Json schema, Json value, int depth, Findings sink) {
        Findings tried = new Findings(sink.steps());
        check(schema, value, Path.ROOT, depth + 1, tried);
        return tried.faults().isEmpty();
    }

    /** What a schema refers to within the same document. */
    private List<Json> reference(Json schema) {
        String reference = schema.at("$ref").text();
        if (!reference.startsWith("#/")) {
            return List.of();
        }
        Json found = root;
        for (String step : reference.substring(2).split("/", -1)) {
            found = found.at(step.replace("~1", "/").replace("~0", "~"));
        }
        return found.there() ? List.of(found) : List.of();
    }

    private static boolean is(Json value, String type) {
        return switch (type) {
            case "object" -> value.type() == Json.Type.OBJECT;
            case "array" -> value.type() == Json.Type.ARRAY;
            case "string" -> value.type() == Json.Type.TEXT;
            case "number" -> value.type() == Json.Type.NUMBER;
            case "integer" -> value.type() == Json.Type.NUMBER && whole(value.text());
            case "boolean" -> value.type() == Json.Type.BOOLEAN;
            case "null" -> value.type() == Json.Type.NULL;
            default -> true;
        };
    }

    private static boolean whole(String number) {
        if (number.length() > LONGEST_NUMBER) {
            return true;
        }
        BigDecimal value = new BigDecimal(number);
        return value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
    }

    private static String article(String type) {
        return switch (type) {
            case "object" -> "an object {…}";
            case "array" -> "a list […]";
            case "string" -> "a text in double quotes";
            case "integer" -> "a whole number";
            case "boolean" -> "true or false";
            case "null" -> "null";
            default -> "a " + type;
        };
    }

    private static void choices(Json schema, Json value, Path path, Findings sink) {
        List<Json> allowed = schema.at("enum").elements();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(value::equals)) {
            sink.accept(new Fault(
                    path,
                    "must be "
                            + choice(allowed.stream()
                                    .limit(MOST)
                                    .map(Json::compact)
                                    .toList())));
        }
        Json only = schema.at("const");
        if (only.there() && !only.equals(value)) {
            sink.accept(new Fault(path, "must be " + only.compact()));
        }
    }

    private static void bounds(Json schema, Json value, Path path, Findings sink) {
        switch (value.type()) {
            case NUMBER -> {
                if (beyond(schema, "minimum", value, -1) || beyond(schema, "exclusiveMinimum", value, 0)) {
                    sink.accept(new Fault(path, "is too small"));
                }
                if (beyond(schema, "maximum", value, 1) || beyond(schema, "exclusiveMaximum", value, 0)) {
                    sink.accept(new Fault(path, "is too big"));
                }
            }
            case TEXT -> {
                String text = value.text();
                size(schema, "Length", text.codePointCount(0, text.length()), "character", path, sink);
            }
            case ARRAY -> size(schema, "Items", value.elements().size(), "element", path, sink);
            default -> {}
        }
    }

    /**
     * Whether a number is on the wrong side of a bound.
     *
     * @param sign what comparing it with the bound gives on the wrong side; 0 where the bound itself is wrong too
     */
    private static boolean beyond(Json schema, String keyword, Json value, int sign) {
        Json bound = schema.at(keyword);
        if (bound.type() != Json.Type.NUMBER
                || bound.text().length() > LONGEST_NUMBER
                || value.text().length() > LONGEST_NUMBER) {
            return false;
        }
        int compared = new BigDecimal(value.text()).compareTo(new BigDecimal(bound.text()));
        return sign == 0
                ? keyword.equals("exclusiveMinimum") ? compared <= 0 : compared >= 0
                : Integer.signum(compared) == sign;
    }

    private static void size(Json schema, String what, int size, String unit, Path path, Findings sink) {
        long least = schema.at("min" + what).number(0);
        long most = schema.at("max" + what).number(Long.MAX_VALUE);
        if (size < least) {
            sink.accept(new Fault(path, "needs " + least + " " + unit + (least == 1 ? "" : "s") + " or more"));
        } else if (size > most) {
            sink.accept(new Fault(path, "may have " + most + " " + unit + (most == 1 ? "" : "s") + " at most"));
        }
    }

    private void members(Json schema, Json value, Path path, int depth, Findings sink) {
        Map<String, Json> known = schema.at("properties").members();
        for (String name : schema.at("required").texts()) {
            if (!value.at(name).there()) {
                sink.accept(new Fault(path.to(name), "is missing"));
            }
        }
        Json others = schema.at("additionalProperties");
        boolean patterns = schema.at("patternProperties").there();
        value.members().forEach((name, member) -> {
            if (sink.full()) {
                return;
            }
            Json described = known.get(name);
            if (described != null) {
                check(described, member, path.to(name), depth + 1, sink);
            } else if (!patterns && others.type() == Json.Type.BOOLEAN && !others.isTrue()) {
                sink.accept(new Fault(
                        path.to(name),
                        known.isEmpty()
                                ? "is not known; there are no arguments here"
                                : "is not known; there are "
                                        + known.keySet().stream().limit(MOST).collect(Collectors.joining(", "))
                                        + (known.size() > MOST ? ", …" : "")));
            } else if (!patterns && others.type() == Json.Type.OBJECT) {
                check(others, member, path.to(name), depth + 1, sink);
            }
        });
    }

    private void elements(Json schema, Json value, Path path, int depth, Findings sink) {
        Json items = schema.at("items");
        if (items.type() != Json.Type.OBJECT || schema.at("prefixItems").there()) {
            return;
        }
        List<Json> elements = value.elements();
        for (int i = 0; i < elements.size() && !sink.full(); i++) {
            check(items, elements.get(i), path.to(i), depth + 1, sink);
        }
    }

    private static String choice(List<String> words) {
        return words.size() < 2
                ? String.join("", words)
                : words.stream().limit(words.size() - 1L).collect(Collectors.joining(", ")) + " or " + words.getLast();
    }

    /**
     * A member that a schema describes.
     *
     * @param type in words; empty where it may be anything
     */
    public record Member(String name, String type, boolean required, String says) {}

    /** The members an object may have, as the schema describes them. */
    public List<Member> members() {
        Set<String> required = Set.copyOf(root.at("required").texts());
        return root.at("properties").members().entrySet().stream()
                .map(entry -> new Member(
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
                : choice(allowed.stream().limit(MOST).map(Json::compact).toList());
    }
}
