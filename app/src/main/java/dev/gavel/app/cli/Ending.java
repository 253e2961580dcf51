package dev.gavel.app.cli;

import dev.gavel.app.remote.Json;
import java.util.Objects;

/** What became of a proposal that was waited for. */
record Ending(Screen screen, Json proposal) {
    /** Says so and gives the exit code. */
    int report() {
        Json answer = ProposalText.answer(proposal);
        screen.line(screen.paint(ProposalText.style(proposal), verdict()) + ": " + ProposalText.status(proposal));
        if (answer.there()) {
            screen.line(AnswerText.of(answer));
        }
        screen.document(document(answer).raw());
        return ProposalText.succeeded(proposal) ? ExitCode.DONE : ExitCode.NO;
    }

    private String verdict() {
        String state = proposal.at("state").text();
        return state.equals("fulfilled")
                ? switch (proposal.at("outcome").text()) {
                    case "succeeded" -> "succeeded";
                    case "failed" -> "failed";
                    default -> "outcome unknown";
                }
                : SafeText.line(state);
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
