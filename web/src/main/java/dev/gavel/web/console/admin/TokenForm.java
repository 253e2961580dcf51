package dev.gavel.web.console.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The input of the form that creates a token, with its validation errors.
 *
 * @param roles the selected roles
 * @param expiry the value of a {@link TokenExpiryChoice}
 * @param topic empty for none
 * @param capabilityChoice the value of a {@link CapabilityPreset}, {@link #CUSTOM} for the entered capabilities, or {@link
 *     #KEEP} to leave the member's capabilities unchanged
 * @param customCapabilities the entered capabilities, one per line
 * @param complaint an error that belongs to no field
 * @param errors the errors of each field
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
    /** {@code OWN} and {@code KEEP} are the values of {@code capabilityChoice} that are not presets. */
    public static final String CUSTOM = "own";

    public static final String KEEP = "keep";

    public TokenForm {
        roles = Set.copyOf(roles);
        errors = Map.copyOf(errors);
    }

    /** Returns a form without any input. */
    public static TokenForm empty(String choice) {
        return new TokenForm("", Set.of(), TokenExpiryChoice.MONTH.value(), "", choice, "", Optional.empty(), Map.of());
    }

    public TokenForm withTopic(String newTopic) {
        return new TokenForm(name, roles, expiry, newTopic, capabilityChoice, customCapabilities, complaint, errors);
    }

    /** Returns a copy with the errors of one field. */
    public TokenForm withError(String field, List<String> message) {
        return new TokenForm(
                name, roles, expiry, topic, capabilityChoice, customCapabilities, complaint, Map.of(field, message));
    }

    /** Returns a copy with an error that belongs to no field. */
    public TokenForm withError(String message) {
        return new TokenForm(
                name, roles, expiry, topic, capabilityChoice, customCapabilities, Optional.of(message), errors);
    }

    public List<String> errors(String field) {
        return errors.getOrDefault(field, List.of());
    }

    /** The chosen capabilities, one per line; empty to leave the member's capabilities unchanged. */
    public Optional<String> capabilities() {
        return switch (capabilityChoice) {
            case CUSTOM -> Optional.of(customCapabilities);
            case KEEP -> Optional.empty();
            default -> CapabilityPreset.of(capabilityChoice).map(CapabilityPreset::capabilities);
        };
    }
}
