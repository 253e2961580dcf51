package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;

/** The {@code gavel sep maintainers} command: lists the people who can sponsor or decide SEPs, and their load. */
@Command(
        name = "maintainers",
        description = "List who can sponsor or decide, and how much each has to do.",
        footer = {
            "  gavel sep maintainers",
        })
final class SepMaintainersCommand extends SepClientCommand {
    SepMaintainersCommand() {
        super(SepOperation.MAINTAINERS);
    }

    @Override
    SepApiRequest newRequest(ClientCommandContext clientCommandContext) {
        return newRequest();
    }
}
