package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.client.http.RemoteGatewayException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel withdraw} command: withdraws the caller's own proposals. */
@Command(
        name = "withdraw",
        description = "Withdraw your own proposals.",
        footer = "  gavel withdraw main p-019a8f0c1d2e0102030405 --reason 'found another way'")
public final class WithdrawCommand extends AbstractProposalBatchCommand {
    @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID", description = "The proposals' IDs.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<String> ids;

    @Option(names = "--reason", paramLabel = "REASON", description = "The reason. Reviewers see it.")
    private @Nullable String reason;

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        return sendForAll(
                clientCommandContext,
                "withdraw",
                (id, answer) -> AcceptedProposal.of(id, "withdrew"),
                ids,
                reason == null ? Map.of() : Map.of("reason", reason));
    }
}
