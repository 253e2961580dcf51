package dev.gavel.cli.sep;

import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;

/** The {@code gavel sep history} command: lists the events of a SEP. */
@Command(
        name = "history",
        description = "List the events of a proposal, oldest first.",
        footer = {
            "  gavel sep history 1286",
        })
final class SepHistoryCommand extends SingleSepCommand {
    SepHistoryCommand() {
        super(SepOperation.HISTORY);
    }
}
