package dev.gavel.gateway.tool;

import java.util.List;

/** The result of validating arguments against a tool's schema: checked, or why they cannot be checked. */
public sealed interface ArgumentValidationResult {
    /** The arguments were checked; they match the schema if there are no violations. */
    record Checked(List<ArgumentViolation> violations) implements ArgumentValidationResult {
        public Checked {
            violations = List.copyOf(violations);
        }
    }

    /**
     * The arguments cannot be checked.
     *
     * @param reason a clause such as "its schema is not valid"
     */
    record Uncheckable(String reason) implements ArgumentValidationResult {}
}
