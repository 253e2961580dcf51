package dev.gavel.app.edge.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.app.edge.Problem;
import dev.gavel.app.edge.console.session.Fields;
import dev.gavel.console.admin.CapabilityLines;
import dev.gavel.console.admin.TokenForm;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the form for a token, and says in it what came of that. Stateless. */
final class TokenFields {
    private TokenFields() {}

    static TokenForm read(Fields fields) {
        return new TokenForm(
                fields.text("name").orElse(""),
                Set.copyOf(fields.texts("roles")),
                fields.text("expiry").orElse(""),
                fields.text("topic").orElse(""),
                fields.text("may").orElse(TokenForm.KEEP),
                fields.text("own").orElse(""),
                Optional.empty(),
                Map.of());
    }

    /** What is wrong with it as it stands, in it; nothing where that is for the server to say. */
    static Optional<TokenForm> mistaken(TokenForm form, boolean member) {
        if (form.may().equals(TokenForm.OWN) && !form.own().isEmpty()) {
            if (form.topic().isEmpty()) {
                return Optional.of(
                        form.wrong("topic", List.of("Choose the topic where the capabilities are to hold.")));
            }
            List<String> faults = CapabilityLines.faults(form.own());
            if (!faults.isEmpty()) {
                return Optional.of(form.wrong("own", faults));
            }
        }
        if (!form.topic().isEmpty() && form.capabilities().isEmpty() && !member) {
            return Optional.of(
                    form.wrong("topic", List.of("It is no member there yet: choose what it may do, below.")));
        }
        return Optional.empty();
    }

    /**
     * The body that the API takes for the same.
     *
     * @param name whose token it is to be
     * @param roles whether the form says anything of roles
     */
    static byte[] body(TokenForm form, String name, boolean roles) {
        return Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("name", name);
                    if (!form.topic().isEmpty()) {
                        json.writeStringProperty("topic", form.topic());
                        form.capabilities().ifPresent(text -> {
                            json.writeName("capabilities");
                            json.writeRawValue(CapabilityLines.json(text).raw());
                        });
                    }
                    if (roles) {
                        json.writeArrayPropertyStart("roles");
                        form.roles().forEach(json::writeString);
                        json.writeEndArray();
                    }
                    if (!form.expiry().isEmpty()) {
                        json.writeStringProperty("expiresIn", form.expiry());
                    }
                    json.writeEndObject();
                })
                .raw()
                .getBytes(UTF_8);
    }

    /** The form with why it came to nothing, at the field that it is about. */
    static TokenForm refused(TokenForm form, Problem problem) {
        List<String> why = List.of(Admins.sentence(problem));
        return switch (problem.code()) {
            case "bad_name", "bridged" -> form.wrong("name", why);
            case "bad_topic", "no_such_topic" -> form.wrong("topic", why);
            case "bad_capability" -> form.wrong(form.may().equals(TokenForm.OWN) ? "own" : "topic", why);
            case "bad_role" -> form.wrong("roles", why);
            case "bad_expiry" -> form.wrong("expiry", why);
            default -> form.wrong(why.getFirst());
        };
    }
}
