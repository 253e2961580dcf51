package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says something about a proposal. */
@Command(
        name = "comment",
        description = "Say something about a SEP.",
        footer = {
            "  gavel sep comment 1286 'Which clients would this break?'",
        })
final class CommentCommand extends AboutOneCommand {
    @Parameters(index = "1", paramLabel = "TEXT", description = "What to say.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String text;

    CommentCommand() {
        super(Verb.COMMENT);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("text", text);
    }
}
