package dev.gavel.app.cli.sep;

import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;

/** Says what to do next. */
@Command(
        name = "next",
        description = "Say how a SEP stands, who must act, and what you should do next.",
        footer = {
            "  gavel sep next 1286",
        })
final class NextCommand extends AboutOneCommand {
    NextCommand() {
        super(Verb.NEXT);
    }
}
