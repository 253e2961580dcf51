package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep withdraw} command: withdraws one of the caller's own SEPs. */
@Command(
        name = "withdraw",
        description = "Withdraw your proposal.",
        footer = {
            "  gavel sep withdraw 1286 --reason 'solved by 1391'",
        })
final class SepWithdrawCommand extends SingleSepCommand {
    @Option(names = "--reason", required = true, paramLabel = "REASON", description = "Reason for the withdrawal.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String reason;

    SepWithdrawCommand() {
        super(SepOperation.WITHDRAW);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("reason", reason);
    }
}
