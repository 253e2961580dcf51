package dev.gavel.web.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.json.Json;
import dev.gavel.web.console.session.FormFields;
import dev.gavel.web.http.HttpProblem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads and validates the submitted token form and converts it to the body of an admin command. Stateless. */
final class TokenFormReader {
    private TokenFormReader() {}

    static TokenForm read(FormFields fields) {
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

    /** Returns the form with its errors; empty if there are none that this class can detect without the server. */
    static Optional<TokenForm> validate(TokenForm form, boolean member) {
        if (form.capabilityChoice().equals(TokenForm.CUSTOM)
                && !form.customCapabilities().isEmpty()) {
            if (form.topic().isEmpty()) {
                return Optional.of(form.withError("topic", List.of("Choose the topic for these capabilities.")));
            }
            List<String> errors = CapabilityTextFormat.validate(form.customCapabilities());
            if (!errors.isEmpty()) {
                return Optional.of(form.withError("own", errors));
            }
        }
        if (!form.topic().isEmpty() && form.capabilities().isEmpty() && !member) {
            return Optional.of(form.withError(
                    "topic",
                    List.of("The identity is not a member of this topic yet. Choose its capabilities below.")));
        }
        return Optional.empty();
    }

    /**
     * Returns the body of the API request that creates the same token.
     *
     * @param name the identity that receives the token
     * @param roles whether the form sets roles
     */
    static byte[] toRequestBody(TokenForm form, String name, boolean roles) {
        return Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("name", name);
                    if (!form.topic().isEmpty()) {
                        json.writeStringProperty("topic", form.topic());
                        form.capabilities().ifPresent(text -> {
                            json.writeName("capabilities");
                            json.writeRawValue(CapabilityTextFormat.toJson(text).raw());
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

    /** Returns the form with the reason for the refusal, at the field that it concerns. */
    static TokenForm withRefusal(TokenForm form, HttpProblem problem) {
        List<String> why = List.of(AdminAccess.sentence(problem));
        return switch (problem.code()) {
            case "bad_name", "bridged" -> form.withError("name", why);
            case "bad_topic", "no_such_topic" -> form.withError("topic", why);
            case "bad_capability" ->
                form.withError(form.capabilityChoice().equals(TokenForm.CUSTOM) ? "own" : "topic", why);
            case "bad_role" -> form.withError("roles", why);
            case "bad_expiry" -> form.withError("expiry", why);
            default -> form.withError(why.getFirst());
        };
    }
}
