package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.ShellQuoting;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.ApprovalOptions;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
            "Edited arguments must match the tool's schema, unless you use --unchecked.",
            "The ledger stores both the proposed and the approved arguments.",
            "",
            "If the call can delete or overwrite data, if its effect is unknown, if its tool",
            "changed, or if there are warnings, the command asks before it approves. Without",
            "a terminal, and with --json, it needs --yes instead.",
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
                            + " it, or if the call is to run on another participant than the one it is addressed to.")
    private @Nullable String to;

    @Option(names = "--yes", description = "Do not ask before approving a call that needs care.")
    private boolean yes;

    @Option(names = "--unchecked", description = "Do not check the edited arguments against the tool's schema.")
    private boolean unchecked;

    @Option(
            names = "--definition",
            paramLabel = "DIGEST",
            description =
                    "Approve the call for the tool definition with this digest. Required if the definition changed"
                            + " after the call was proposed, or was not known then. 'gavel show' prints the change and"
                            + " the digest.")
    private @Nullable String definition;

    @Option(names = "--wait", description = "Wait for the result. The exit code is 0 only if the call succeeds.")
    private boolean wait;

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

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
        boolean edited = !params.equals(approvalSender.params());
        if (edited || to != null) {
            // The reviewer confirms the call that would run, not the proposed one.
            proposal = approvalSender.assess(clientCommandContext.gateway(), params, Optional.ofNullable(to));
            approvalSender = new ProposalApprovalSender(topic(), proposal);
        }
        if (definition == null && approvalSender.mustNameDefinition()) {
            throw new CommandException(
                    ExitCode.FAILURE,
                    id() + ": the definition of its tool changed after the call was proposed, or was not known then, so"
                            + " nothing was approved. Read it with " + showCommand()
                            + ". To approve the call for the current definition, run this command again with"
                            + " --definition "
                            + String.join(" or ", approvalSender.shownDefinitions()) + ".");
        }
        String runner = runner(approvalSender);
        if (!yes && ProposalTextFormatter.isCareful(proposal)) {
            confirm(clientCommandContext, proposal, approvalSender.describeCall(params), runner);
        }
        String request = approvalSender.send(
                clientCommandContext.gateway(),
                params,
                runner,
                new ApprovalOptions(
                        unchecked, Optional.ofNullable(definition).stream().toList()));
        commandOutput.printLine(commandOutput.paint(TerminalStyle.GOOD, "approved") + " " + id() + describeEdit(edited)
                + ": " + approvalSender.describeCall(params));
        if (edited && isEditUnchecked(clientCommandContext)) {
            commandOutput.warn("The edited arguments were not checked, because " + SafeText.line(runner)
                    + " lists no schema for this tool.");
        }
        if (wait) {
            return new ProposalWaiter(clientCommandContext, topic(), id).awaitEnd();
        }
        Json decidedProposal =
                RateLimitRetry.retry(() -> clientCommandContext.gateway().proposal(topic(), id));
        commandOutput.printLine("  runs on  " + SafeText.line(runner) + ", as request " + request
                + (decidedProposal.at("heldApproval").isPresent() ? ", when the disconnected caller calls again" : ""));
        commandOutput.printLine("  status   " + ProposalTextFormatter.status(decidedProposal));
        commandOutput.printJson(decidedProposal.raw());
        return ExitCode.SUCCESS;
    }

    @Override
    protected Optional<String> hint(String code, GatewayEndpoint endpoint) throws InterruptedException {
        return switch (code) {
            case "invalid_arguments" -> Optional.of("With this command, use --unchecked.");
            case "definition_changed" ->
                Optional.of("With this command, use --definition with that value. To see the difference, run "
                        + showCommand() + ".");
            default -> super.hint(code, endpoint);
        };
    }

    /** Asks the reviewer whether to approve the call; throws if the answer is not yes. */
    private void confirm(ClientCommandContext clientCommandContext, Json proposal, String call, String runner) {
        List<String> reasons = new ArrayList<>(List.of(ProposalTextFormatter.effect(proposal)));
        proposal.at("tools")
                .elements()
                .forEach(tool -> reasons.addAll(
                        tool.at("notes").texts().stream().map(SafeText::line).toList()));
        ProposalTextFormatter.warnings(proposal).forEach(warning -> reasons.add("Check: " + warning));
        CommandOutput commandOutput = clientCommandContext.output();
        if (commandOutput.isJson() || !clientCommandContext.environment().terminal()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    id() + " needs care, so nothing was approved. " + String.join(" ", reasons) + " Read it with "
                            + showCommand() + ", then run this command again with --yes.");
        }
        commandOutput.printLine("run " + call + " on " + SafeText.line(runner) + "?");
        reasons.forEach(reason -> commandOutput.printLine("  " + commandOutput.paint(TerminalStyle.BAD, reason)));
        String answer = clientCommandContext.environment().prompt().apply("Type yes to approve it: ");
        if (answer == null || !answer.strip().equalsIgnoreCase("yes")) {
            throw new CommandException(ExitCode.FAILURE, "nothing was approved");
        }
    }

    private String showCommand() {
        return "'gavel show " + topic() + " " + ShellQuoting.quoteOperand(id) + "'";
    }

    /** Whether the edit could not be checked. The server knows this only after the approval. */
    private boolean isEditUnchecked(ClientCommandContext clientCommandContext)
            throws RemoteGatewayException, InterruptedException {
        return ProposalApprovalSender.isEditUnchecked(
                RateLimitRetry.retry(() -> clientCommandContext.gateway().proposal(topic(), id)));
    }

    private String describeEdit(boolean edited) {
        return !edited ? "" : unchecked ? ", edited without a check" : ", edited";
    }

    private String id() {
        return SafeText.line(id);
    }

    private String runner(ProposalApprovalSender approvalSender) {
        if (to != null) {
            return to;
        }
        List<String> candidates = approvalSender.possibleRunners();
        List<String> alternatives = approvalSender.alternativeRunners();
        return switch (candidates.size()) {
            case 1 -> candidates.getFirst();
            case 0 ->
                throw new CommandException(
                        ExitCode.USAGE,
                        alternatives.isEmpty()
                                ? "no connected participant offers the tool of " + id()
                                        + ". Connect one that does, or choose a connected participant with --to."
                                : "the participant that " + id() + " is addressed to cannot run it now. Try again"
                                        + " later, or run it on another participant with --to: "
                                        + SafeText.line(String.join(", ", alternatives)) + ".");
            default ->
                throw new CommandException(
                        ExitCode.USAGE,
                        "several participants can run " + id() + ". Choose one with --to: "
                                + SafeText.line(String.join(", ", candidates)) + ".");
        };
    }
}
