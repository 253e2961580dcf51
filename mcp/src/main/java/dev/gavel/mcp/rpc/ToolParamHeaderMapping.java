package dev.gavel.mcp.rpc;

import dev.gavel.mcpx.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Copies the tool arguments marked {@code x-mcp-header} in the input schema to HTTP headers, and checks that received
 * headers match the arguments. Immutable.
 */
public final class ToolParamHeaderMapping {
    /** The prefix of the names of these headers. */
    public static final String PREFIX = "Mcp-Param-";

    private static final String HEADER_KEYWORD = "x-mcp-header";
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");
    private static final BigDecimal MAX_INTEGER = BigDecimal.valueOf((1L << 53) - 1);
    private static final int MAX_DEPTH = 20;
    private static final ToolParamHeaderMapping NONE = new ToolParamHeaderMapping(List.of(), Optional.empty());

    private final List<HeaderParam> headerParams;
    private final Optional<String> schemaProblem;

    /** An argument that is repeated in a header. */
    private record HeaderParam(String header, List<String> path, String type) {}

    private ToolParamHeaderMapping(List<HeaderParam> headerParams, Optional<String> schemaProblem) {
        this.headerParams = headerParams;
        this.schemaProblem = schemaProblem;
    }

    /** Returns the header mapping of a tool with that {@code inputSchema}. */
    public static ToolParamHeaderMapping of(Json schema) {
        // Most tools mark no argument, and their schemas may be long.
        return schema.raw().contains(HEADER_KEYWORD) ? new SchemaScanner().of(schema) : NONE;
    }

    /**
     * Returns what is wrong with the marks, if anything. A client that uses HTTP leaves out a tool with such a problem.
     */
    public Optional<String> schemaProblem() {
        return schemaProblem;
    }

    public boolean isEmpty() {
        return headerParams.isEmpty();
    }

    /** Returns the headers of a call with these parameters, by their full names, not yet encoded. */
    public Map<String, String> of(String params) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (HeaderParam each : headerParams) {
            at(params, each)
                    .flatMap(value -> headerText(value, each.type()))
                    .ifPresent(text -> headers.put(each.header(), text));
        }
        return headers;
    }

    /**
     * Returns what is wrong with the headers received with a call, or empty if they match the arguments.
     *
     * @param receivedHeaders the values of the headers by their lower-case names
     */
    public Optional<String> findMismatch(String params, Map<String, String> receivedHeaders) {
        for (HeaderParam each : headerParams) {
            Optional<String> expected = at(params, each).flatMap(value -> headerText(value, each.type()));
            String received = receivedHeaders.get(each.header().toLowerCase(Locale.ROOT));
            Optional<String> decoded = Optional.ofNullable(received).flatMap(HeaderValueCodec::decode);
            if (received != null && decoded.isEmpty()) {
                return Optional.of("the header " + each.header() + " cannot be decoded");
            }
            if (expected.isPresent() && received == null) {
                return Optional.of("the header " + each.header() + " is missing, but its argument is present");
            }
            if (received != null
                    && !expected.filter(text -> equalValues(text, decoded.orElseThrow(), each.type()))
                            .isPresent()) {
                return Optional.of("the header " + each.header() + " does not match its argument");
            }
        }
        return Optional.empty();
    }

    private static Optional<Json> at(String params, HeaderParam each) {
        List<String> path = new ArrayList<>(List.of("arguments"));
        path.addAll(each.path());
        return RawJsonEditor.at(params, path.toArray(String[]::new)).flatMap(Json::parse);
    }

    /**
     * Returns a value as text if it has the type that the schema declares. Values of other types are not sent in
     * headers.
     */
    private static Optional<String> headerText(Json value, String type) {
        return switch (value.type()) {
            case TEXT -> type.equals("string") ? Optional.of(value.text()) : Optional.empty();
            case NUMBER -> type.equals("integer") ? integerText(value.text()) : Optional.empty();
            case BOOLEAN -> type.equals("boolean") ? Optional.of(value.raw()) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<String> integerText(String number) {
        if (number.length() > 40) {
            return Optional.empty();
        }
        try {
            BigDecimal value = new BigDecimal(number);
            boolean fits = value.abs().compareTo(MAX_INTEGER) <= 0
                    && value.stripTrailingZeros().scale() <= 0;
            return fits ? Optional.of(value.toBigIntegerExact().toString()) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean equalValues(String expected, String received, String type) {
        return expected.equals(received)
                || (type.equals("integer")
                        && integerText(received).filter(expected::equals).isPresent());
    }

    /** Collects the marks of one schema. */
    private static final class SchemaScanner {
        private final List<HeaderParam> collectedParams = new ArrayList<>();
        private final Set<String> names = new HashSet<>();
        private Optional<String> problem = Optional.empty();

        ToolParamHeaderMapping of(Json schema) {
            scanProperties(schema, List.of());
            return problem.isPresent()
                    ? new ToolParamHeaderMapping(List.of(), problem)
                    : new ToolParamHeaderMapping(List.copyOf(collectedParams), problem);
        }

        private void scanProperties(Json schema, List<String> path) {
            if (path.size() > MAX_DEPTH) {
                rejectMarks(schema);
                return;
            }
            schema.members().forEach((keyword, value) -> {
                if (keyword.equals("properties") && value.type() == Json.Type.OBJECT) {
                    value.members().forEach((name, property) -> {
                        List<String> propertyPath = new ArrayList<>(path);
                        propertyPath.add(name);
                        scanProperty(property, propertyPath);
                    });
                } else if (!keyword.equals(HEADER_KEYWORD)) {
                    rejectMarks(value);
                }
            });
        }

        private void scanProperty(Json property, List<String> path) {
            Json mark = property.at(HEADER_KEYWORD);
            if (mark.isPresent()) {
                addMarked(mark, property.at("type"), path);
            }
            scanProperties(property, path);
        }

        private void addMarked(Json mark, Json type, List<String> path) {
            String name = mark.asText().orElse("");
            String location = "'" + String.join(".", path) + "'";
            if (!TOKEN.matcher(name).matches()) {
                reportProblem("the header name for " + location + " contains characters that HTTP does not allow");
            } else if (!names.add(name.toLowerCase(Locale.ROOT))) {
                reportProblem("two arguments are mapped to the header " + PREFIX + name);
            } else if (!type.asText().filter(TYPES::contains).isPresent()) {
                reportProblem(location + " is mapped to a header, but is not a string, an integer or a boolean");
            } else {
                collectedParams.add(new HeaderParam(PREFIX + name, path, type.text()));
            }
        }

        /** Only plain properties may be marked: for other subschemas the path of the value would not be known. */
        private void rejectMarks(Json value) {
            switch (value.type()) {
                case OBJECT ->
                    value.members().forEach((name, member) -> {
                        if (name.equals(HEADER_KEYWORD)) {
                            reportProblem("a part of the schema that is not a plain property is mapped to a header");
                        } else {
                            rejectMarks(member);
                        }
                    });
                case ARRAY -> value.elements().forEach(this::rejectMarks);
                default -> {}
            }
        }

        private void reportProblem(String message) {
            if (problem.isEmpty()) {
                problem = Optional.of(message);
            }
        }
    }
}
