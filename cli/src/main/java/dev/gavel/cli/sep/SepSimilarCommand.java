package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.sep.service.SepApiRoute;
import dev.gavel.sep.service.SepOperation;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep similar} command: finds SEPs similar to a SEP or to a text. */
@Command(
        name = "similar",
        description = "Find proposals that are similar to a proposal or to a text.",
        footer = {
            "  gavel sep similar 1286",
            "  gavel sep similar --text 'paging for lists'",
            "  gavel sep similar --text 0000-paging-for-every-list.md",
        })
final class SepSimilarCommand extends SepClientCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "N",
            converter = SepNumberConverter.class,
            description = "Number of the proposal.")
    private @Nullable Integer number;

    @Option(names = "--text", paramLabel = "TEXT|FILE", description = "Text, or a file with the text.")
    private @Nullable String text;

    @Option(names = "--limit", paramLabel = "COUNT", description = "Maximum number of results.")
    private @Nullable Integer limit;

    SepSimilarCommand() {
        super(SepOperation.SIMILAR);
    }

    @Override
    protected void validate() {
        if ((number == null) == (text == null)) {
            throw new CommandException(ExitCode.USAGE, "give either the number of a proposal or --text");
        }
    }

    @Override
    SepApiRequest newRequest(ClientCommandContext clientCommandContext) {
        SepApiRequest sepApiRequest = newRequest().with("limit", limit).with(SepApiRoute.NUMBER, number);
        return text == null ? sepApiRequest : sepApiRequest.with("text", textOrFile(clientCommandContext, text));
    }

    private static String textOrFile(ClientCommandContext clientCommandContext, String textOrPath) {
        try {
            Path file = Path.of(textOrPath);
            return Files.isRegularFile(
                            clientCommandContext.environment().directory().resolve(file))
                    ? SepDocumentUpload.read(clientCommandContext, file).text()
                    : textOrPath;
        } catch (InvalidPathException e) {
            return textOrPath;
        }
    }
}
