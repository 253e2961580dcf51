package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the OpenAPI description of the HTTP API so that tests can validate answers against it. */
public final class OpenApiDescription {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Set<String> METHODS = Set.of("get", "head", "post", "put", "delete", "patch", "options");

    private final JsonNode document;
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    /** A cache: parsing the document for every answer takes longer than everything else. */
    private final Map<JsonNode, Schema> schemas = new HashMap<>();

    public OpenApiDescription(String text) {
        this.document = JSON.readTree(text);
    }

    public JsonNode document() {
        return document;
    }

    /** Every operation, such as {@code GET /topics/{topic}}. */
    public Set<String> operations() {
        Set<String> operations = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (String method : path.getValue().propertyNames()) {
                if (METHODS.contains(method)) {
                    operations.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey());
                }
            }
        }
        return operations;
    }

    /** Fails unless such an answer is described; {@code path} is the requested path with its query. */
    public void assertDescribed(String method, String path, int status, String type, JsonNode body) {
        String requestPath = path.replaceFirst("\\?.*", "");
        JsonNode operation = operation(requestPath).path(method);
        assertThat(operation.isMissingNode()).as(method + " " + requestPath).isFalse();
        JsonNode response = resolved(operation.path("responses").path(String.valueOf(status)));
        assertThat(response.isMissingNode())
                .as(method + " " + path + " is answered with " + status + " " + body)
                .isFalse();
        JsonNode content = response.path("content").path(type.replaceFirst(";.*", ""));
        assertThat(content.isMissingNode())
                .as(method + " " + path + ": " + status + " as " + type)
                .isFalse();
        assertThat(errors(content.path("schema"), body))
                .as(method + " " + path + " " + status + ": " + body)
                .isEmpty();
    }

    /** The possible answers of an operation: a status, and for problems each of their codes. */
    public Set<String> answers(String operation) {
        String[] parts = operation.split(" ", 2);
        Set<String> answers = new TreeSet<>();
        for (Map.Entry<String, JsonNode> response : document.path("paths")
                .path(parts[1])
                .path(parts[0].toLowerCase(Locale.ROOT))
                .path("responses")
                .properties()) {
            JsonNode problem = resolved(response.getValue()).path("content").path("application/problem+json");
            if (problem.isMissingNode()) {
                answers.add(response.getKey());
            }
            problem.findPath("enum").forEach(code -> answers.add(response.getKey() + " " + code.asString()));
        }
        return answers;
    }

    private JsonNode operation(String requestPath) {
        // A path without parameters takes precedence over one with parameters.
        for (boolean exact : new boolean[] {true, false}) {
            for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
                String pattern = exact
                        ? Pattern.quote(path.getKey())
                        : path.getKey().replaceAll("\\{\\w+}", "[^/]+").replace(".", "\\.");
                if (requestPath.matches(pattern)) {
                    return path.getValue();
                }
            }
        }
        throw new AssertionError("no path fits " + requestPath);
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asString().substring(1)) : node;
    }

    private List<Error> errors(JsonNode schema, JsonNode body) {
        return schemas.computeIfAbsent(schema, this::compiled).validate(body);
    }

    private Schema compiled(JsonNode schema) {
        ObjectNode root = JSON.createObjectNode();
        root.set("components", document.path("components"));
        root.putArray("allOf").add(schema);
        return registry.getSchema(root);
    }

    /** The mistakes in the document: dangling references, and operations that lack a required part. */
    public List<String> mistakes() {
        List<String> mistakes = new ArrayList<>();
        for (JsonNode reference : document.findValues("$ref")) {
            if (!reference.asString().startsWith("#/")
                    || document.at(reference.asString().substring(1)).isMissingNode()) {
                mistakes.add("nothing is at " + reference);
            }
        }
        Set<String> ids = new TreeSet<>();
        for (String operation : operations()) {
            String[] parts = operation.split(" ", 2);
            JsonNode path = document.path("paths").path(parts[1]);
            JsonNode described = path.path(parts[0].toLowerCase(Locale.ROOT));
            if (!ids.add(described.path("operationId").asString(""))) {
                mistakes.add(operation + ": its operationId is another's");
            }
            if (described.path("summary").asString("").isBlank()) {
                mistakes.add(operation + ": no summary");
            }
            if (described.path("responses").isEmpty()) {
                mistakes.add(operation + ": no answers");
            }
            for (Map.Entry<String, JsonNode> response :
                    described.path("responses").properties()) {
                if (resolved(response.getValue())
                        .path("description")
                        .asString("")
                        .isBlank()) {
                    mistakes.add(operation + ": " + response.getKey() + " is not described");
                }
            }
            if (!parameters(path, described).equals(named(parts[1]))) {
                mistakes.add(operation + ": the parameters in its path are not those described");
            }
        }
        return mistakes;
    }

    private Set<String> parameters(JsonNode path, JsonNode operation) {
        Set<String> names = new TreeSet<>();
        for (JsonNode list : List.of(path.path("parameters"), operation.path("parameters"))) {
            for (JsonNode each : list) {
                JsonNode parameter = resolved(each);
                if (parameter.path("in").asString("").equals("path")
                        && parameter.path("required").asBoolean(false)) {
                    names.add(parameter.path("name").asString(""));
                }
            }
        }
        return names;
    }

    private static Set<String> named(String path) {
        Set<String> names = new TreeSet<>();
        Pattern.compile("\\{(\\w+)}").matcher(path).results().forEach(found -> names.add(found.group(1)));
        return names;
    }

    /** Fails if an example does not conform to its schema. */
    public void assertExamplesValid() {
        List<JsonNode> contents = new ArrayList<>();
        document.findParents("example").forEach(contents::add);
        assertThat(contents).hasSizeGreaterThan(15);
        for (JsonNode content : contents) {
            assertThat(errors(content.path("schema"), content.path("example")))
                    .as(content.path("example").toString())
                    .isEmpty();
        }
    }
}
