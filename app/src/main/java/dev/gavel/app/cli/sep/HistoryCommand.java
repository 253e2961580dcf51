package dev.gavel.app.cli.sep;

import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;

/** Lists what happened to a proposal. */
@Command(
        name = "history",
        description = "List all that happened to a SEP, the earliest first.",
        footer = {
            "  gavel sep history 1286",
        })
final class HistoryCommand extends AboutOneCommand {
    HistoryCommand() {
        super(Verb.HISTORY);
    }
}
