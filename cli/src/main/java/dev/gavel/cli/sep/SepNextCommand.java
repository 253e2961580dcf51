package dev.gavel.cli.sep;

import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;

/** Says what to do next. */
@Command(
        name = "next",
        description = "Say how a SEP stands, who must act, and what you should do next.",
        footer = {
            "  gavel sep next 1286",
        })
final class SepNextCommand extends SingleSepCommand {
    SepNextCommand() {
        super(SepOperation.NEXT);
    }
}
