package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.app.cli.Complaint;
import dev.gavel.app.cli.ExitCode;
import dev.gavel.app.sepdesk.Route;
import dev.gavel.sep.desk.Verb;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds proposals like one, or like a text. */
@Command(
        name = "similar",
        description = "Find SEPs like one, or like a text.",
        footer = {
            "  gavel sep similar 1286",
            "  gavel sep similar --text 'paging for lists'",
            "  gavel sep similar --text 0000-paging-for-every-list.md",
        })
final class SimilarCommand extends DeskCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "N",
            converter = SepNumber.class,
            description = "The SEP's number.")
    private @Nullable Integer number;

    @Option(names = "--text", paramLabel = "TEXT|FILE", description = "A text, or a file with one.")
    private @Nullable String text;

    @Option(names = "--limit", paramLabel = "COUNT", description = "How many at most.")
    private @Nullable Integer limit;

    SimilarCommand() {
        super(Verb.SIMILAR);
    }

    @Override
    protected void check() {
        if ((number == null) == (text == null)) {
            throw new Complaint(ExitCode.USAGE, "name a SEP's number, or give --text, one of the two");
        }
    }

    @Override
    Asking asking(Client client) {
        Asking asking = asking().with("limit", limit).with(Route.NUMBER, number);
        return text == null ? asking : asking.with("text", content(client, text));
    }

    private static String content(Client client, String given) {
        try {
            Path file = Path.of(given);
            return Files.isRegularFile(client.here().directory().resolve(file))
                    ? DocumentFile.read(client, file).text()
                    : given;
        } catch (InvalidPathException e) {
            return given;
        }
    }
}
