package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists what waits for a sponsor. */
@Command(
        name = "triage",
        description = "List the SEPs that wait for a sponsor.",
        footer = {
            "  gavel sep triage",
            "  gavel sep triage --limit 5",
            "",
            "Those unreviewed longest come first.",
        })
final class TriageCommand extends DeskCommand {
    @Option(names = "--limit", paramLabel = "COUNT", description = "How many at most.")
    private @Nullable Integer limit;

    TriageCommand() {
        super(Verb.TRIAGE);
    }

    @Override
    Asking asking(Client client) {
        return asking().with("limit", limit);
    }
}
