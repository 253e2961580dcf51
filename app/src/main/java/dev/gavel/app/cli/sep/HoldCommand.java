package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Parks a decision. */
@Command(
        name = "hold",
        description = "Park the decision on a SEP; votes stay.",
        footer = {
            "  gavel sep hold 1286 --reason 'until the transport group has met'",
            "  gavel sep release 1286",
        })
final class HoldCommand extends AboutOneCommand {
    @Option(names = "--reason", required = true, paramLabel = "REASON", description = "Why.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String reason;

    HoldCommand() {
        super(Verb.HOLD);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("reason", reason);
    }
}
