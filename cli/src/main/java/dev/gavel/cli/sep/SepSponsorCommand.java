package dev.gavel.cli.sep;

import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;

/** The {@code gavel sep sponsor} command: makes the caller the sponsor of a SEP. */
@Command(
        name = "sponsor",
        description = "Become the sponsor of a proposal and guide it through its process.",
        footer = {
            "  gavel sep triage",
            "  gavel sep sponsor 1286",
        })
final class SepSponsorCommand extends SingleSepCommand {
    SepSponsorCommand() {
        super(SepOperation.SPONSOR);
    }
}
