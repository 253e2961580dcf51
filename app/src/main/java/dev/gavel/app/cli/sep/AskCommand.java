package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Asks somebody to look at a proposal. */
@Command(
        name = "ask",
        description = "Ask somebody to look at a SEP.",
        footer = {
            "  gavel sep maintainers",
            "  gavel sep ask 1286 alice 'Would you sponsor it?'",
        })
final class AskCommand extends AboutOneCommand {
    @Parameters(index = "1", paramLabel = "PERSON", description = "Who is asked: a name or a handle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String person;

    @Parameters(index = "2", arity = "0..1", paramLabel = "QUESTION", description = "What they are asked.")
    private @Nullable String question;

    AskCommand() {
        super(Verb.ASK);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("whom", person).with("question", question);
    }
}
