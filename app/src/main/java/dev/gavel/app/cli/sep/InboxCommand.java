package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists what waits for whoever asks. */
@Command(
        name = "inbox",
        description = "List the SEPs whose next move is yours.",
        footer = {
            "  gavel sep inbox",
            "",
            "Those that wait longest come first.",
        })
final class InboxCommand extends DeskCommand {
    @Option(names = "--limit", paramLabel = "COUNT", description = "How many at most.")
    private @Nullable Integer limit;

    InboxCommand() {
        super(Verb.INBOX);
    }

    @Override
    Asking asking(Client client) {
        return asking().with("limit", limit);
    }
}
