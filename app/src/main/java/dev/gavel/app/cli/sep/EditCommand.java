package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Replaces a proposal's document. */
@Command(
        name = "edit",
        description = "Replace the document of a SEP.",
        footer = {
            "  gavel sep edit 1286 1286-paging.md",
        })
final class EditCommand extends AboutOneCommand {
    @Parameters(index = "1", paramLabel = "FILE", description = "The document, in Markdown.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    EditCommand() {
        super(Verb.EDIT);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return DocumentFile.read(client, file).in(asking);
    }
}
