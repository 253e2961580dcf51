package dev.gavel.app.cli.sep;

import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;

/** Sponsors a proposal. */
@Command(
        name = "sponsor",
        description = "Sponsor a SEP: from now on you take it through its process.",
        footer = {
            "  gavel sep triage",
            "  gavel sep sponsor 1286",
        })
final class SponsorCommand extends AboutOneCommand {
    SponsorCommand() {
        super(Verb.SPONSOR);
    }
}
