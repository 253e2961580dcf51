package dev.gavel.lifecycle;

import dev.gavel.lifecycle.process.ProcessDefinition;
import java.util.Optional;

/**
 * A recorded decision on a specification proposal: the state for which it decides, and the text of the decision. People
 * write it as {@code accepted: agreed at the meeting}. Immutable.
 */
record DecisionEvidence(String state, String text) {
    /** Parses a value whose state is given by its name or an alias; empty if it names no state or has no text. */
    static Optional<DecisionEvidence> parse(String value, ProcessDefinition processDefinition) {
        int colon = value.indexOf(':');
        if (colon < 0) {
            return Optional.empty();
        }
        String text = value.substring(colon + 1).strip();
        return processDefinition
                .findState(value.substring(0, colon).strip())
                .filter(_ -> !text.isEmpty())
                .map(state -> new DecisionEvidence(state, text));
    }

    @Override
    public String toString() {
        return state + ": " + text;
    }
}
