package dev.gavel.lifecycle.process;

import java.util.List;
import java.util.Optional;

/**
 * An attribute of specification proposals that a process uses, with its allowed values and default.
 *
 * @param values what it may be; where empty, anything
 * @param defaultValue what it is where a proposal does not say
 */
public record ProposalAttribute(String name, List<String> values, Optional<String> defaultValue) {
    public ProposalAttribute {
        values = List.copyOf(values);
    }

    /** The value as the process spells it; empty where it is none of the values. */
    public Optional<String> canonicalValue(String value) {
        return values.isEmpty()
                ? Optional.of(value)
                : values.stream().filter(value::equalsIgnoreCase).findFirst();
    }
}
