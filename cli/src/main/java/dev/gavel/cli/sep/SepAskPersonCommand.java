package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep ask} command: asks a person to look at a SEP, with an optional question. */
@Command(
        name = "ask",
        description = "Ask a person to look at a proposal.",
        footer = {
            "  gavel sep maintainers",
            "  gavel sep ask 1286 alice 'Would you sponsor it?'",
        })
final class SepAskPersonCommand extends SingleSepCommand {
    @Parameters(index = "1", paramLabel = "PERSON", description = "Person to ask: a name or a handle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String person;

    @Parameters(index = "2", arity = "0..1", paramLabel = "QUESTION", description = "Question for this person.")
    private @Nullable String question;

    SepAskPersonCommand() {
        super(SepOperation.ASK);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("whom", person).with("question", question);
    }
}
