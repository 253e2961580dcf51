package dev.gavel.app.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Encoding;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON object an admin sends, field by field. What is wrong first is kept, and reading goes on; so whoever reads looks
 * at {@link #problem} in the end. Not thread-safe.
 */
final class Form {
    /** No request of an admin's needs more bytes. */
    static final int LONGEST = 64 * 1024;

    static final int MOST_CAPABILITIES = 200;

    private final Json json;
    private @Nullable Problem problem;

    private Form(Json json) {
        this.json = json;
    }

    /**
     * Reads a body.
     *
     * @param names what it may say; a misspelt name must not count as one left out
     */
    static Form read(byte[] body, Set<String> names) {
        Optional<Json> read = Encoding.isUtf8(body) ? Json.parse(new String(body, UTF_8)) : Optional.empty();
        Form form = new Form(read.orElseGet(() -> Json.ofText("")));
        if (form.json.type() != Json.Type.OBJECT) {
            form.wrong("bad_body", "send a JSON object");
        }
        for (String name : form.json.members().keySet()) {
            if (!names.contains(name)) {
                form.wrong(
                        "bad_body",
                        "there is no field of that name here; there are " + String.join(", ", sorted(names)));
            }
        }
        return form;
    }

    /** One that says nothing, of what needs nothing said. */
    static Form blank() {
        return new Form(Json.object());
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted().toList();
    }

    /** What is wrong first, if anything is. */
    Optional<Problem> problem() {
        return Optional.ofNullable(problem);
    }

    void wrong(String code, String detail) {
        wrong(new Problem(400, code, detail));
    }

    void wrong(Problem what) {
        if (problem == null) {
            problem = what;
        }
    }

    boolean has(String name) {
        return json.at(name).there();
    }

    /** A text; nothing where there is none, or something else. */
    Optional<String> text(String name) {
        Json value = json.at(name);
        if (value.there() && value.type() != Json.Type.TEXT) {
            wrong("bad_body", "'" + name + "' must be a text");
        }
        return value.ifText();
    }

    /** A list of texts; nothing where there is none, or something else. */
    Optional<List<String>> texts(String name) {
        Json value = json.at(name);
        if (!value.there()) {
            return Optional.empty();
        }
        if (value.type() != Json.Type.ARRAY
                || value.texts().size() != value.elements().size()) {
            wrong("bad_body", "'" + name + "' must be a list of texts");
        }
        return Optional.of(value.texts());
    }

    /** Capabilities as the configuration writes them; nothing where there are none, or not such. */
    Optional<Capabilities> capabilities() {
        Json value = json.at("capabilities");
        if (!value.there()) {
            return Optional.empty();
        }
        if (value.elements().size() > MOST_CAPABILITIES) {
            wrong("bad_capability", "more than " + MOST_CAPABILITIES + " capabilities: use wildcards");
            return Optional.empty();
        }
        return switch (Capabilities.fromJson(value.raw().getBytes(UTF_8))) {
            case Parsed.Valid<Capabilities>(Capabilities capabilities) -> Optional.of(capabilities);
            case Parsed.Invalid<Capabilities>(String fault) -> {
                wrong("bad_capability", fault);
                yield Optional.empty();
            }
        };
    }
}
