package dev.gavel.web.console.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The input of the form that creates a token, with its validation errors.
 *
 * @param roles those that are ticked
 * @param expiry one of {@link TokenExpiryChoice}, by its word
 * @param topic empty for none
 * @param capabilityChoice a {@link CapabilityPreset} by its word, {@code customCapabilities} for what is written, {@code keep} for what it is already
 * @param customCapabilities capabilities, one on a line
 * @param complaint what is wrong that is no field's
 * @param errors what is wrong, by field
 */
public record TokenForm(
        String name,
        Set<String> roles,
        String expiry,
        String topic,
        String capabilityChoice,
        String customCapabilities,
        Optional<String> complaint,
        Map<String, List<String>> errors) {
    /** What may be chosen for {@code may} besides presets. */
    public static final String OWN = "own";

    public static final String KEEP = "keep";

    public TokenForm {
        roles = Set.copyOf(roles);
        errors = Map.copyOf(errors);
    }

    /** One in which nothing was written yet. */
    public static TokenForm empty(String may) {
        return new TokenForm("", Set.of(), TokenExpiryChoice.MONTH.value(), "", may, "", Optional.empty(), Map.of());
    }

    /** The same, with a topic chosen. */
    public TokenForm withTopic(String where) {
        return new TokenForm(name, roles, expiry, where, capabilityChoice, customCapabilities, complaint, errors);
    }

    /** The same, with what is wrong with a field. */
    public TokenForm withError(String field, List<String> why) {
        return new TokenForm(
                name, roles, expiry, topic, capabilityChoice, customCapabilities, complaint, Map.of(field, why));
    }

    /** The same, with what is wrong altogether. */
    public TokenForm withError(String why) {
        return new TokenForm(
                name, roles, expiry, topic, capabilityChoice, customCapabilities, Optional.of(why), errors);
    }

    public List<String> errors(String field) {
        return errors.getOrDefault(field, List.of());
    }

    /** The capabilities that are meant, one on a line; nothing where they are to stay as they are. */
    public Optional<String> capabilities() {
        return switch (capabilityChoice) {
            case OWN -> Optional.of(customCapabilities);
            case KEEP -> Optional.empty();
            default -> CapabilityPreset.of(capabilityChoice).map(CapabilityPreset::capabilities);
        };
    }
}
