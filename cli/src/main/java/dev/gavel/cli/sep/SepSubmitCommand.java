package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep submit} command: submits a new SEP. */
@Command(
        name = "submit",
        description = "Submit a new specification proposal.",
        footer = {
            "  gavel sep new 'Paging for every list'",
            "  gavel sep submit 0000-paging-for-every-list.md",
            "",
            "The document needs a title, an Abstract and a Motivation. The output lists",
            "similar proposals and your next step.",
        })
final class SepSubmitCommand extends SepClientCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "Document in Markdown.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    SepSubmitCommand() {
        super(SepOperation.SUBMIT);
    }

    @Override
    SepApiRequest newRequest(ClientCommandContext clientCommandContext) {
        return SepDocumentUpload.read(clientCommandContext, file).addTo(newRequest());
    }
}
