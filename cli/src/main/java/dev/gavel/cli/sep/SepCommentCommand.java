package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep comment} command: comments on a SEP. */
@Command(
        name = "comment",
        description = "Comment on a proposal.",
        footer = {
            "  gavel sep comment 1286 'Which clients would this break?'",
        })
final class SepCommentCommand extends SingleSepCommand {
    @Parameters(index = "1", paramLabel = "TEXT", description = "Text of the comment.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String text;

    SepCommentCommand() {
        super(SepOperation.COMMENT);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("text", text);
    }
}
