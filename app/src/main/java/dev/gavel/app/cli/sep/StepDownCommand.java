package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives up sponsoring. */
@Command(
        name = "step-down",
        description = "Give up sponsoring a SEP, or another role in it.",
        footer = {
            "  gavel sep step-down 1286",
            "",
            "What the SEP has reached stays.",
        })
final class StepDownCommand extends AboutOneCommand {
    @Option(names = "--role", paramLabel = "ROLE", description = "Which role, where it is not the usual one.")
    private @Nullable String role;

    StepDownCommand() {
        super(Verb.STEP_DOWN);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("role", role);
    }
}
