package dev.gavel.cli.review;

import dev.gavel.cli.terminal.LineEditState;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/**
 * The current mode of the interactive review screen, such as showing a proposal or asking a question, which determines
 * what each key does.
 */
sealed interface ReviewScreenMode {
    /** There is no proposal to decide now. */
    record Idle() implements ReviewScreenMode {}

    /**
     * The reviewer reads a proposal.
     *
     * @param metadataShown whether the screen shows the metadata of the call
     */
    record ReadingProposal(boolean metadataShown) implements ReviewScreenMode {}

    /**
     * The reviewer confirms the approval of a call that needs care, whose tool has changed, or that was not shown to its
     * end.
     *
     * @param params the parameters of the call, proposed or edited
     * @param assessed the proposal, as the server assesses it for these parameters
     * @param unchecked whether edited arguments are approved without the check against the tool's schema
     * @param fullySeen whether the end of the proposal has been on the screen
     */
    record ConfirmingApproval(Json params, Json assessed, boolean unchecked, boolean fullySeen)
            implements ReviewScreenMode {}

    /** The reviewer reads the help on keys. */
    record ShowingHelp() implements ReviewScreenMode {}

    /**
     * The screen says that the current proposal is already decided.
     *
     * @param status the proposal's status
     * @param unsentText what the reviewer had typed and not sent; empty if nothing
     */
    record DecidedElsewhere(String status, String unsentText) implements ReviewScreenMode {}

    /** The reviewer sees the changes of an edit and confirms or drops them. */
    record ConfirmingEdit(Json params) implements ReviewScreenMode {}

    /**
     * The edited text cannot be sent.
     *
     * @param problem what is wrong with it
     */
    record InvalidEdit(String text, String problem) implements ReviewScreenMode {}

    /**
     * The reviewer types an answer.
     *
     * @param introLines the lines above the prompt: what the question is about, and the choices
     */
    record AskingQuestion(Question question, List<String> introLines, LineEditState line) implements ReviewScreenMode {
        public AskingQuestion {
            introLines = List.copyOf(introLines);
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
                                ? "No connected participant can run the call. Type the name of the one that will run it, or press Esc."
                                : "Several participants can run the call:"));
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
