package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;

/** Lists who can sponsor or decide. */
@Command(
        name = "maintainers",
        description = "List who can sponsor or decide, and how much each has to do.",
        footer = {
            "  gavel sep maintainers",
        })
final class MaintainersCommand extends DeskCommand {
    MaintainersCommand() {
        super(Verb.MAINTAINERS);
    }

    @Override
    Asking asking(Client client) {
        return asking();
    }
}
