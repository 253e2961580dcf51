package dev.gavel.cli.proposal;

import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.ToolResultText;
import java.util.Objects;

/** Prints how the proposal that a command waited for ended, and gives the exit code. */
record ProposalEndPrinter(CommandOutput commandOutput, Json proposal) {
    /** Says so and gives the exit code. */
    int print() {
        Json answer = ProposalText.answer(proposal);
        commandOutput.printLine(outcomeLine());
        if (answer.isPresent()) {
            commandOutput.printLine(ToolResultText.of(answer));
        }
        commandOutput.printJson(toJson(answer).raw());
        return ProposalText.isSucceeded(proposal) ? ExitCode.SUCCESS : ExitCode.FAILURE;
    }

    /** The status of what was never called begins with how it ended; that of a call ends with it. */
    private String outcomeLine() {
        TerminalStyle style = ProposalText.style(proposal);
        String status = ProposalText.status(proposal);
        return switch (proposal.at("outcome").text()) {
            case "" -> commandOutput.paint(style, status);
            case "succeeded" -> commandOutput.paint(style, "succeeded") + ": " + status;
            case "failed" -> commandOutput.paint(style, "failed") + ": " + status;
            default -> commandOutput.paint(style, "outcome unknown") + ": " + status;
        };
    }

    /** The proposal, and beside it what a program would look for first. */
    private Json toJson(Json answer) {
        Json document = proposal;
        for (String part : new String[] {"result", "error"}) {
            document = answer.at(part).isPresent() ? document.with(part, answer.at(part)) : document;
        }
        return Objects.requireNonNull(document);
    }
}
