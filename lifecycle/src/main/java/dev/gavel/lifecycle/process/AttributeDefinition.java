package dev.gavel.lifecycle.process;

import java.util.List;
import java.util.Optional;

/**
 * Defines an attribute of specification proposals in a process: its name, allowed values and default.
 *
 * @param values the allowed values; if empty, any value is allowed
 * @param defaultValue the value if a proposal sets none
 */
public record AttributeDefinition(String name, List<String> values, Optional<String> defaultValue) {
    public AttributeDefinition {
        values = List.copyOf(values);
    }

    /** Returns the value as the process writes it; empty if it is not allowed. */
    public Optional<String> canonicalValue(String value) {
        return values.isEmpty()
                ? Optional.of(value)
                : values.stream().filter(value::equalsIgnoreCase).findFirst();
    }
}
