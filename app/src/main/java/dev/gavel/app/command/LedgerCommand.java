package dev.gavel.app.command;

import dev.gavel.cli.CommandGroup;
import java.util.List;
import picocli.CommandLine.Command;

/**
 * The {@code gavel ledger} command group: exports and verifies a ledger and rebuilds its index, without a running
 * server.
 */
@Command(
        name = "ledger",
        description = "Export, verify and rebuild the ledger.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel ledger export --out events.jsonl",
            "  gavel ledger verify",
            "  gavel ledger rebuild",
        })
final class LedgerCommand extends CommandGroup {
    @Override
    protected List<Class<?>> commands() {
        return List.of(LedgerExportCommand.class, LedgerVerifyCommand.class, LedgerRebuildCommand.class);
    }
}
