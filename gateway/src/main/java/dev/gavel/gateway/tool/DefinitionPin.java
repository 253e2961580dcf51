package dev.gavel.gateway.tool;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Defines what happens to a call that needs no approval if the definition of its tool has changed. */
public enum DefinitionPin {
    /** The call runs, and the gateway logs a warning. */
    WARN,
    /** The call needs a reviewer's approval. */
    ASK,
    /** The call is refused. */
    BLOCK;

    /** The names in the configuration. */
    public static List<String> names() {
        return Arrays.stream(values()).map(DefinitionPin::label).toList();
    }

    /** Returns the mode of that name. */
    public static Optional<DefinitionPin> of(String name) {
        return Arrays.stream(values()).filter(each -> each.label().equals(name)).findFirst();
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
