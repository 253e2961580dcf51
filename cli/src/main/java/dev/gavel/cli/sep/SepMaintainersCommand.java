package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;

/** The {@code gavel sep maintainers} command: lists the people who can sponsor or decide SEPs, and their load. */
@Command(
        name = "maintainers",
        description = "List the people who can sponsor or decide, with their workload.",
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
