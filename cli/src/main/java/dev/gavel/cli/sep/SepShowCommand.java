package dev.gavel.cli.sep;

import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;

/** The {@code gavel sep show} command: shows one SEP. */
@Command(
        name = "show",
        description = "Show a proposal with its status, evidence, votes and comments.",
        footer = {
            "  gavel sep show 1286",
            "  gavel sep show 1286 --json | jq .status",
        })
final class SepShowCommand extends SingleSepCommand {
    SepShowCommand() {
        super(SepOperation.SHOW);
    }
}
