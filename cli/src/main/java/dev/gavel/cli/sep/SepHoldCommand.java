package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep hold} command: puts the decision on a SEP on hold. */
@Command(
        name = "hold",
        description = "Put the decision on a proposal on hold. Votes are preserved.",
        footer = {
            "  gavel sep hold 1286 --reason 'until the transport group has met'",
            "  gavel sep release 1286",
        })
final class SepHoldCommand extends SingleSepCommand {
    @Option(names = "--reason", required = true, paramLabel = "REASON", description = "Reason for the hold.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String reason;

    SepHoldCommand() {
        super(SepOperation.HOLD);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("reason", reason);
    }
}
