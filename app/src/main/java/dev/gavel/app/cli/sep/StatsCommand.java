package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;

/** Gives figures of the whole process. */
@Command(
        name = "stats",
        description = "Give figures: time in each state, throughput, first response, load, what is stuck.",
        footer = {
            "  gavel sep stats",
            "  gavel sep stats --json | jq .",
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
