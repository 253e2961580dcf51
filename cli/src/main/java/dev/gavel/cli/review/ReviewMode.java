package dev.gavel.cli.review;

import dev.gavel.cli.terminal.InputLine;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/** The mode of a review session, which determines what is shown and what keys mean. */
sealed interface ReviewMode {
    /** There is no proposal to decide now. */
    record Idle() implements ReviewMode {}

    /**
     * The reviewer reads a proposal.
     *
     * @param insists whether the reviewer pressed the key to approve before having seen the whole proposal
     */
    record Reading(boolean insists) implements ReviewMode {}

    /** The reviewer reads the help on keys. */
    record ShowingHelp() implements ReviewMode {}

    /**
     * The screen says that the current proposal is already decided.
     *
     * @param how the proposal's status
     */
    record DecidedElsewhere(String how) implements ReviewMode {}

    /** The reviewer sees the changes of an edit and confirms or drops them. */
    record ConfirmingEdit(Json params) implements ReviewMode {}

    /**
     * The edited text cannot be sent.
     *
     * @param trouble what is wrong with it
     */
    record InvalidEdit(String text, String trouble) implements ReviewMode {}

    /**
     * The reviewer types an answer.
     *
     * @param above the lines above the prompt: what the question is about, and the choices
     */
    record Prompting(Question question, List<String> above, InputLine line) implements ReviewMode {
        public Prompting {
            above = List.copyOf(above);
        }
    }

    /** A question to the reviewer. */
    sealed interface Question {
        /** Which participant runs the call. */
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

        /** Why the reviewer rejects the proposal. */
        record Reason() implements Question {}

        /** A note for the proposer about the rejection. */
        record Note(String reason) implements Question {}
    }
}
