package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows everything about one proposal. */
@Command(
        name = "show",
        description = "Show everything about a proposal.",
        footer = "  gavel show main p-019a8f0c1d2e0102030405")
final class ShowCommand extends InTopicCommand {
    @Parameters(index = "1", paramLabel = "ID", description = "The proposal's id.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String id;

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        Json proposal = client.gateway().proposal(topic(), id);
        new ProposalPage(client.screen(), client.here().zone(), Instant.now(), topic(), proposal).print();
        client.screen().document(proposal.raw());
        return ExitCode.DONE;
    }
}
