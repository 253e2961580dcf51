package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code gavel show} command: shows everything about one proposal. */
@Command(
        name = "show",
        description = "Show a proposal's details and timeline.",
        footer = "  gavel show main p-019a8f0c1d2e0102030405")
public final class ShowCommand extends TopicClientCommand {
    @Parameters(index = "1", paramLabel = "ID", description = "The proposal's ID.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String id;

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json proposal = clientCommandContext.gateway().proposal(topic(), id);
        new ProposalDetailPrinter(
                        clientCommandContext.output(),
                        clientCommandContext.environment().zone(),
                        Instant.now(),
                        topic(),
                        proposal)
                .print();
        clientCommandContext.output().printJson(proposal.raw());
        return ExitCode.SUCCESS;
    }
}
