package dev.gavel.app.cli.sep;

import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;

/** Shows one proposal. */
@Command(
        name = "show",
        description = "Show a SEP: what it is, how it stands, its evidence and votes.",
        footer = {
            "  gavel sep show 1286",
            "  gavel sep show 1286 --json | jq .status",
        })
final class ShowCommand extends AboutOneCommand {
    ShowCommand() {
        super(Verb.SHOW);
    }
}
