package dev.gavel.web.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Utf8Validator;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import dev.gavel.web.http.HttpProblem;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses the JSON body of an admin request field by field and keeps the first problem that it finds. Parsing goes on
 * after a problem, so the caller checks {@link #problem} at the end. Not thread-safe.
 */
final class AdminRequestBodyParser {
    /** The size limit of an admin request. */
    static final int MAX_BYTES = 64 * 1024;

    static final int MAX_CAPABILITIES = 200;

    private final Json json;
    private @Nullable HttpProblem problem;

    private AdminRequestBodyParser(Json json) {
        this.json = json;
    }

    /**
     * Parses a body.
     *
     * @param names the allowed fields; a misspelt field is a problem, because it would otherwise count as left out
     */
    static AdminRequestBodyParser read(byte[] body, Set<String> names) {
        Optional<Json> parsed = Utf8Validator.isUtf8(body) ? Json.parse(new String(body, UTF_8)) : Optional.empty();
        AdminRequestBodyParser adminRequestBodyParser =
                new AdminRequestBodyParser(parsed.orElseGet(() -> Json.ofText("")));
        if (adminRequestBodyParser.json.type() != Json.Type.OBJECT) {
            adminRequestBodyParser.addProblem("bad_body", "the body must be a JSON object");
        }
        for (String name : adminRequestBodyParser.json.members().keySet()) {
            if (!names.contains(name)) {
                adminRequestBodyParser.addProblem(
                        "bad_body",
                        "the body has an unknown field; the known fields are " + String.join(", ", sorted(names)));
            }
        }
        return adminRequestBodyParser;
    }

    /** The body of a command that takes no fields. */
    static AdminRequestBodyParser empty() {
        return new AdminRequestBodyParser(Json.object());
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted().toList();
    }

    /** The first problem, if any. */
    Optional<HttpProblem> problem() {
        return Optional.ofNullable(problem);
    }

    void addProblem(String code, String detail) {
        addProblem(new HttpProblem(400, code, detail));
    }

    void addProblem(HttpProblem newProblem) {
        if (problem == null) {
            problem = newProblem;
        }
    }

    boolean has(String name) {
        return json.at(name).isPresent();
    }

    /** Returns a text field; empty if it is missing or not a text. */
    Optional<String> text(String name) {
        Json value = json.at(name);
        if (value.isPresent() && value.type() != Json.Type.TEXT) {
            addProblem("bad_body", "'" + name + "' must be a string");
        }
        return value.asText();
    }

    /** Returns a field that is a list of texts; empty if it is missing. A value of another type is a problem. */
    Optional<List<String>> texts(String name) {
        Json value = json.at(name);
        if (!value.isPresent()) {
            return Optional.empty();
        }
        if (value.type() != Json.Type.ARRAY
                || value.texts().size() != value.elements().size()) {
            addProblem("bad_body", "'" + name + "' must be an array of strings");
        }
        return Optional.of(value.texts());
    }

    /** Returns a field that is an object; empty if it is missing. A value of another type is a problem. */
    Optional<Json> object(String name) {
        Json value = json.at(name);
        if (value.isPresent() && value.type() != Json.Type.OBJECT) {
            addProblem("bad_body", "'" + name + "' must be an object");
        }
        return value.isPresent() ? Optional.of(value) : Optional.empty();
    }

    /** Returns the capabilities, in the syntax of the configuration; empty if they are missing or invalid. */
    Optional<CapabilitySet> capabilities() {
        Json value = json.at("capabilities");
        if (!value.isPresent()) {
            return Optional.empty();
        }
        if (value.elements().size() > MAX_CAPABILITIES) {
            addProblem("bad_capability", "more than " + MAX_CAPABILITIES + " capabilities; use wildcards");
            return Optional.empty();
        }
        return switch (CapabilitySet.fromAdmin(value.raw().getBytes(UTF_8))) {
            case ValueParseResult.Valid<CapabilitySet>(CapabilitySet capabilitySet) -> Optional.of(capabilitySet);
            case ValueParseResult.Invalid<CapabilitySet>(String error) -> {
                addProblem("bad_capability", error);
                yield Optional.empty();
            }
        };
    }
}
