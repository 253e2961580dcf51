package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code gavel sep explain} command: shows what is required to move a SEP to another state. */
@Command(
        name = "explain",
        description = "Show what a proposal needs to move to another state.",
        footer = {
            "  gavel sep explain 1286",
            "  gavel sep explain 1286 accepted",
        })
final class SepExplainMoveCommand extends SingleSepCommand {
    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "STATE",
            description = "Target state. Default: all possible moves.")
    private @Nullable String state;

    SepExplainMoveCommand() {
        super(SepOperation.EXPLAIN);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("to", state);
    }
}
