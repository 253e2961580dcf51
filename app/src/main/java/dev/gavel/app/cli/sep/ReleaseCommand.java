package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes a parked decision up again. */
@Command(
        name = "release",
        description = "Take a parked decision up again.",
        footer = {
            "  gavel sep release 1286",
        })
final class ReleaseCommand extends AboutOneCommand {
    @Option(names = "--reason", paramLabel = "REASON", description = "Why.")
    private @Nullable String reason;

    ReleaseCommand() {
        super(Verb.RELEASE);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("reason", reason);
    }
}
