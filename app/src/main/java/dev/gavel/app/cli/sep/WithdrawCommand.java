package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Withdraws a proposal. */
@Command(
        name = "withdraw",
        description = "Withdraw a SEP of yours.",
        footer = {
            "  gavel sep withdraw 1286 --reason 'solved by SEP-1391'",
        })
final class WithdrawCommand extends AboutOneCommand {
    @Option(names = "--reason", required = true, paramLabel = "REASON", description = "Why.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String reason;

    WithdrawCommand() {
        super(Verb.WITHDRAW);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("reason", reason);
    }
}
