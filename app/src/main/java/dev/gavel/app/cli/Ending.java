package dev.gavel.app.cli;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.AnswerText;
import java.util.Objects;

/** What became of a proposal that was waited for. */
record Ending(Screen screen, Json proposal) {
    /** Says so and gives the exit code. */
    int report() {
        Json answer = ProposalText.answer(proposal);
        screen.line(verdict());
        if (answer.there()) {
            screen.line(AnswerText.of(answer));
        }
        screen.document(document(answer).raw());
        return ProposalText.succeeded(proposal) ? ExitCode.DONE : ExitCode.NO;
    }

    /** The status of what was never called begins with how it ended; that of a call ends with it. */
    private String verdict() {
        Style style = ProposalText.style(proposal);
        String status = ProposalText.status(proposal);
        return switch (proposal.at("outcome").text()) {
            case "" -> screen.paint(style, status);
            case "succeeded" -> screen.paint(style, "succeeded") + ": " + status;
            case "failed" -> screen.paint(style, "failed") + ": " + status;
            default -> screen.paint(style, "outcome unknown") + ": " + status;
        };
    }

    /** The proposal, and beside it what a program would look for first. */
    private Json document(Json answer) {
        Json document = proposal;
        for (String part : new String[] {"result", "error"}) {
            document = answer.at(part).there() ? document.with(part, answer.at(part)) : document;
        }
        return Objects.requireNonNull(document);
    }
}
