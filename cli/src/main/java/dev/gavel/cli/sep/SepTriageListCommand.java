package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep triage} command: lists the SEPs that wait for a sponsor. */
@Command(
        name = "triage",
        description = "List the proposals that wait for a sponsor.",
        footer = {
            "  gavel sep triage",
            "  gavel sep triage --limit 5",
            "",
            "Proposals that have waited longest for a response come first.",
        })
final class SepTriageListCommand extends SepClientCommand {
    @Option(names = "--limit", paramLabel = "COUNT", description = "Maximum number of results.")
    private @Nullable Integer limit;

    SepTriageListCommand() {
        super(SepOperation.TRIAGE);
    }

    @Override
    SepApiRequest newRequest(ClientCommandContext clientCommandContext) {
        return newRequest().with("limit", limit);
    }
}
