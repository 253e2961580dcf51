package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says what a move takes. */
@Command(
        name = "explain",
        description = "Say what it would take to move a SEP, without trying.",
        footer = {
            "  gavel sep explain 1286",
            "  gavel sep explain 1286 accepted",
        })
final class ExplainCommand extends AboutOneCommand {
    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "STATE",
            description = "The state to move it to. Default: every move from here.")
    private @Nullable String state;

    ExplainCommand() {
        super(Verb.EXPLAIN);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("to", state);
    }
}
