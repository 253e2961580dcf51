package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep edit} command: replaces the document of a SEP. */
@Command(
        name = "edit",
        description = "Replace the document of a proposal.",
        footer = {
            "  gavel sep edit 1286 1286-paging.md",
            "  gavel sep edit 1286 1286-paging.md --editorial",
            "",
            "During a vote, an edit voids the votes, unless it is editorial. The process",
            "defines which parts are editorial, and who can declare any other edit editorial.",
        })
final class SepEditCommand extends SingleSepCommand {
    @Parameters(index = "1", paramLabel = "FILE", description = "Document in Markdown.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Option(
            names = "--editorial",
            description = "Declare that the edit does not change the meaning, so that votes stay valid.")
    private boolean editorial;

    SepEditCommand() {
        super(SepOperation.EDIT);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        SepApiRequest request =
                SepDocumentUpload.read(clientCommandContext, file).addTo(sepApiRequest);
        return editorial ? request.with("editorial", true) : request;
    }
}
