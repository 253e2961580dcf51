package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;

/** Gives figures of the whole process. */
@Command(
        name = "stats",
        description = "Give figures of the whole process.",
        footer = {
            "  gavel sep stats",
            "  gavel sep stats --json | jq .",
            "",
            "Time in each state, throughput, first response, load, and what is stuck.",
        })
final class StatsCommand extends DeskCommand {
    StatsCommand() {
        super(Verb.STATS);
    }

    @Override
    Asking asking(Client client) {
        return asking();
    }
}
