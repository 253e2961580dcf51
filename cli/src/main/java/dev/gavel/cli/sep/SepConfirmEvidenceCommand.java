package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep confirm} command: confirms evidence that another person gave. */
@Command(
        name = "confirm",
        description = "Confirm evidence that another person gave, such as a recorded decision.",
        footer = {
            "  gavel sep confirm 1286 decision",
            "  gavel sep confirm 1286 decision --document 3f2a9c1b70d4",
            "",
            "The process defines which evidence counts only after a second person has",
            "confirmed it. 'gavel sep next N' shows the evidence that waits for this.",
        })
final class SepConfirmEvidenceCommand extends SingleSepCommand {
    @Parameters(index = "1", paramLabel = "KIND", description = "Kind of the evidence, such as decision.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String kind;

    @Option(
            names = "--value",
            paramLabel = "VALUE",
            description = "The evidence that you read. If it is another by now, the confirmation is refused.")
    private @Nullable String value;

    @Option(
            names = "--document",
            paramLabel = "HASH",
            description = "Hash of the document that you read. If it has changed, the confirmation is refused.")
    private @Nullable String document;

    SepConfirmEvidenceCommand() {
        super(SepOperation.CONFIRM);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("kind", kind).with("value", value).with("document", document);
    }
}
