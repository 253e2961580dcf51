package dev.gavel.cli.sep;

import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;

/** The {@code gavel sep next} command: shows a SEP's status, who must act and the next step. */
@Command(
        name = "next",
        description = "Show the status of a proposal, who must act, and your next step.",
        footer = {
            "  gavel sep next 1286",
        })
final class SepNextStepCommand extends SingleSepCommand {
    SepNextStepCommand() {
        super(SepOperation.NEXT);
    }
}
