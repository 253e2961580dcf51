package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
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

    @Option(
            names = "--reveal",
            description = "Show the values of secret arguments. Only members who could approve the proposal can do"
                    + " this. The ledger records that you saw them.")
    private boolean reveal;

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json proposal = reveal
                ? clientCommandContext.gateway().reveal(topic(), id)
                : clientCommandContext.gateway().proposal(topic(), id);
        new ProposalDetailPrinter(
                        clientCommandContext.output(),
                        clientCommandContext.environment().zone(),
                        Instant.now(),
                        topic(),
                        proposal,
                        ProposalDetailPrinter.MetadataDisplay.HINT_AT_JSON_OPTION)
                .print();
        clientCommandContext.output().printJson(proposal.raw());
        return ExitCode.SUCCESS;
    }
}
