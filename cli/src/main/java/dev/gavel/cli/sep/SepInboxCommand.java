package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep inbox} command: lists the SEPs on which the caller must act. */
@Command(
        name = "inbox",
        description = "List the specification proposals that wait for you.",
        footer = {
            "  gavel sep inbox",
            "",
            "Proposals that have been waiting longest come first.",
        })
final class SepInboxCommand extends SepClientCommand {
    @Option(names = "--limit", paramLabel = "COUNT", description = "Maximum number of results.")
    private @Nullable Integer limit;

    SepInboxCommand() {
        super(SepOperation.INBOX);
    }

    @Override
    SepApiRequest newRequest(ClientCommandContext clientCommandContext) {
        return newRequest().with("limit", limit);
    }
}
