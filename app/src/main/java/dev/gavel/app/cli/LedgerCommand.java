package dev.gavel.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What can be done with a ledger's file, with no server in between. */
@Command(
        name = "ledger",
        description = "Work with the ledger's file.",
        subcommands = {LedgerExportCommand.class, LedgerVerifyCommand.class, LedgerRebuildCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gavel ledger export --out events.jsonl",
            "  gavel ledger verify",
            "  gavel ledger rebuild",
        })
final class LedgerCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a command.");
    }
}
