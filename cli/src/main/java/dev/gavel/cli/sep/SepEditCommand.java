package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep edit} command: replaces the document of a SEP. */
@Command(
        name = "edit",
        description = "Replace the document of a SEP.",
        footer = {
            "  gavel sep edit 1286 1286-paging.md",
        })
final class SepEditCommand extends SingleSepCommand {
    @Parameters(index = "1", paramLabel = "FILE", description = "Document in Markdown.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    SepEditCommand() {
        super(SepOperation.EDIT);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return SepDocumentUpload.read(clientCommandContext, file).addTo(sepApiRequest);
    }
}
