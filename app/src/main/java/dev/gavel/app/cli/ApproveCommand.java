package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the call that somebody proposed. */
@Command(
        name = "approve",
        description = "Approve a proposal, as it is or with other arguments.",
        footer = {
            "  gavel approve main p-019a8f0c1d2e0102030405",
            "  gavel approve main p-019a8f0c1d2e0102030405 --arg path=/tmp/y --wait",
            "",
            "Arguments that are not named stay as proposed. Both sets are kept and shown.",
        })
final class ApproveCommand extends InTopicCommand {
    @Parameters(index = "1", paramLabel = "ID", description = "The proposal's id.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String id;

    @Mixin
    private ArgumentOptions arguments = new ArgumentOptions();

    @Option(names = "--to", paramLabel = "NAME", description = "Who is to run it, where that is not clear.")
    private @Nullable String to;

    @Option(names = "--wait", description = "Wait for the outcome, and exit by it.")
    private boolean wait;

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        Json proposal = client.gateway().proposal(topic(), id);
        Screen screen = client.screen();
        if (!proposal.at("state").text().equals("open")) {
            screen.document(proposal.raw());
            throw new Complaint(ExitCode.NO, id() + " is not open any more: " + ProposalText.status(proposal));
        }
        Approval approval = new Approval(topic(), proposal);
        // Exactly what was proposed, but for what the reviewer changed.
        Json params = arguments.given()
                ? approval.paramsWith(arguments.over(approval.params().at("arguments")))
                : approval.params();
        String runner = runner(approval.couldRun());
        String request = approval.send(client.gateway(), params, runner);
        screen.line(screen.paint(Style.GOOD, "approved") + " " + id() + (arguments.given() ? ", edited" : "") + ": "
                + approval.what(params));
        if (wait) {
            return new Waiting(client, topic(), id).untilEnded();
        }
        Json decided = Patience.answer(() -> client.gateway().proposal(topic(), id));
        screen.line("  run by  " + SafeText.line(runner) + ", as " + request);
        screen.line("  status  " + ProposalText.status(decided));
        screen.document(decided.raw());
        return ExitCode.DONE;
    }

    private String id() {
        return SafeText.line(id);
    }

    private String runner(List<String> couldRun) {
        if (to != null) {
            return to;
        }
        return switch (couldRun.size()) {
            case 1 -> couldRun.getFirst();
            case 0 ->
                throw new Complaint(
                        ExitCode.USAGE,
                        "nobody who could run " + id() + " is connected; connect somebody, or say who it is with --to");
            default ->
                throw new Complaint(
                        ExitCode.USAGE,
                        "who is to run " + id() + "? Say it with --to: " + SafeText.line(String.join(", ", couldRun))
                                + " could");
        };
    }
}
