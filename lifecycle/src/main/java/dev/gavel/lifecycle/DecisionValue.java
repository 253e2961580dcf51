package dev.gavel.lifecycle;

import dev.gavel.lifecycle.process.ProcessDefinition;
import java.util.Optional;

/**
 * The value of evidence that decides on a specification proposal: the state for which it decides, and the text of the
 * decision. Written as {@code accepted: agreed at the meeting}.
 */
record DecisionValue(String state, String text) {
    /** Parses a value whose state is given by its name or an alias; empty if it names no state or has no text. */
    static Optional<DecisionValue> parse(String value, ProcessDefinition processDefinition) {
        int colon = value.indexOf(':');
        if (colon < 0) {
            return Optional.empty();
        }
        String text = value.substring(colon + 1).strip();
        return processDefinition
                .findState(value.substring(0, colon).strip())
                .filter(_ -> !text.isEmpty())
                .map(state -> new DecisionValue(state, text));
    }

    @Override
    public String toString() {
        return state + ": " + text;
    }
}
