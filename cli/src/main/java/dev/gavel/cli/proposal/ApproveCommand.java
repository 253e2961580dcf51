package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel approve} command: approves a proposal, as proposed or with other arguments. */
@Command(
        name = "approve",
        description = "Approve a proposal, as proposed or with edited arguments.",
        footer = {
            "  gavel approve main p-019a8f0c1d2e0102030405",
            "  gavel approve main p-019a8f0c1d2e0102030405 --arg path=/tmp/y --wait",
            "",
            "With --arg, the other arguments stay as proposed. --args replaces all arguments.",
            "The ledger stores both the proposed and the approved arguments.",
        })
public final class ApproveCommand extends TopicClientCommand {
    @Parameters(index = "1", paramLabel = "ID", description = "The proposal's ID.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String id;

    @Mixin
    private ArgumentOptions arguments = new ArgumentOptions();

    @Option(
            names = "--to",
            paramLabel = "NAME",
            description =
                    "The participant that runs the call. Required unless exactly one connected participant can run"
                            + " it.")
    private @Nullable String to;

    @Option(names = "--wait", description = "Wait for the result. The exit code is 0 only if the call succeeds.")
    private boolean wait;

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json proposal = clientCommandContext.gateway().proposal(topic(), id);
        CommandOutput commandOutput = clientCommandContext.output();
        if (!proposal.at("state").text().equals("open")) {
            commandOutput.printJson(proposal.raw());
            throw new CommandException(
                    ExitCode.FAILURE, id() + " is no longer open: " + ProposalTextFormatter.status(proposal));
        }
        ProposalApprovalSender approvalSender = new ProposalApprovalSender(topic(), proposal);
        // The parameters exactly as proposed, except for the arguments that the reviewer changed.
        Json params = arguments.isGiven()
                ? approvalSender.paramsWith(
                        arguments.applyTo(approvalSender.params().at("arguments")))
                : approvalSender.params();
        String runner = runner(approvalSender.possibleRunners());
        String request = approvalSender.send(clientCommandContext.gateway(), params, runner);
        commandOutput.printLine(commandOutput.paint(TerminalStyle.GOOD, "approved") + " " + id()
                + (arguments.isGiven() ? ", edited" : "") + ": " + approvalSender.describeCall(params));
        if (wait) {
            return new ProposalWaiter(clientCommandContext, topic(), id).awaitEnd();
        }
        Json decidedProposal =
                RateLimitRetry.retry(() -> clientCommandContext.gateway().proposal(topic(), id));
        commandOutput.printLine("  runs on  " + SafeText.line(runner) + ", as request " + request);
        commandOutput.printLine("  status   " + ProposalTextFormatter.status(decidedProposal));
        commandOutput.printJson(decidedProposal.raw());
        return ExitCode.SUCCESS;
    }

    private String id() {
        return SafeText.line(id);
    }

    private String runner(List<String> candidates) {
        if (to != null) {
            return to;
        }
        return switch (candidates.size()) {
            case 1 -> candidates.getFirst();
            case 0 ->
                throw new CommandException(
                        ExitCode.USAGE,
                        "no connected participant offers the tool of " + id()
                                + ". Connect one that does, or choose a connected participant with --to.");
            default ->
                throw new CommandException(
                        ExitCode.USAGE,
                        "several participants can run " + id() + ". Choose one with --to: "
                                + SafeText.line(String.join(", ", candidates)) + ".");
        };
    }
}
