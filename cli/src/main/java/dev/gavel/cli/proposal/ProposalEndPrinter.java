package dev.gavel.cli.proposal;

import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.ToolResultTextRenderer;
import java.util.Objects;

/** Prints the final result of a proposal that a command waited for, and returns the command's exit code. */
record ProposalEndPrinter(CommandOutput commandOutput, Json proposal) {
    /** Prints the outcome and returns the exit code. */
    int print() {
        Json answer = ProposalTextFormatter.answer(proposal);
        commandOutput.printLine(outcomeLine());
        if (ProposalTextFormatter.isEdited(proposal)) {
            commandOutput.printLine("the reviewer edited the call; it ran as: "
                    + ProposalTextFormatter.describeCall(
                            ProposalTextFormatter.effectivePayload(proposal),
                            proposal.at("id").text()));
        }
        if (answer.isPresent()) {
            commandOutput.printLine(ToolResultTextRenderer.render(answer));
        }
        commandOutput.printJson(toJson(answer).raw());
        return ProposalTextFormatter.isSucceeded(proposal) ? ExitCode.SUCCESS : ExitCode.FAILURE;
    }

    /** The status text starts with how the proposal ended; of a call, only its outcome before the colon is painted. */
    private String outcomeLine() {
        TerminalStyle style = ProposalTextFormatter.style(proposal);
        String status = ProposalTextFormatter.status(proposal);
        int end = proposal.at("outcome").text().isEmpty() ? -1 : status.indexOf(": ");
        return end < 0
                ? commandOutput.paint(style, status)
                : commandOutput.paint(style, status.substring(0, end)) + status.substring(end);
    }

    /** Returns the proposal with the call's result or error at the top level, where a program looks first. */
    private Json toJson(Json answer) {
        Json document = proposal;
        for (String part : new String[] {"result", "error"}) {
            document = answer.at(part).isPresent() ? document.with(part, answer.at(part)) : document;
        }
        return Objects.requireNonNull(document);
    }
}
