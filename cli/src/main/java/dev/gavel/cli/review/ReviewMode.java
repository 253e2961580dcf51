package dev.gavel.cli.review;

import dev.gavel.cli.terminal.InputLine;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/** The mode of a review session, which determines what is shown and what keys mean. */
sealed interface ReviewMode {
    /** Nothing is to be decided now. */
    record Idle() implements ReviewMode {}

    /**
     * Reads a proposal.
     *
     * @param insists whether approving was asked for before all of it was seen
     */
    record Reading(boolean insists) implements ReviewMode {}

    /** Reads what the keys do. */
    record ShowingHelp() implements ReviewMode {}

    /** Is told that what was being decided is decided already. */
    record DecidedElsewhere(String how) implements ReviewMode {}

    /** Looks at what an edit changed. */
    record ConfirmingEdit(Json params) implements ReviewMode {}

    /** Left something in the editor that cannot be sent. */
    record InvalidEdit(String text, String trouble) implements ReviewMode {}

    /**
     * Types an answer.
     *
     * @param above what it is about, and what there is to choose from
     */
    record Prompting(Question question, List<String> above, InputLine line) implements ReviewMode {
        public Prompting {
            above = List.copyOf(above);
        }
    }

    /** What is asked. */
    sealed interface Question {
        /** Who is to run the call. */
        record Runner(Json params, List<String> choices) implements Question {
            public Runner {
                choices = List.copyOf(choices);
            }

            List<String> lines() {
                List<String> lines = new ArrayList<>(List.of(
                        choices.isEmpty()
                                ? "Nobody who could run it is connected. Name who is to run it once they are here, or leave with Esc."
                                : "Several could run it:"));
                for (int i = 0; i < choices.size(); i++) {
                    lines.add("  " + (i + 1) + "  " + SafeText.line(choices.get(i)));
                }
                return lines;
            }
        }

        /** Why it is rejected. */
        record Reason() implements Question {}

        /** What else there is to say about that. */
        record Note(String reason) implements Question {}
    }
}
