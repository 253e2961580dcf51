package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.DurationTextFormat;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code gavel propose} command: proposes a tool call for others to approve. */
@Command(
        name = "propose",
        description = "Propose a tool call for a reviewer to approve.",
        footer = {
            "  gavel propose main --tool write_file --arg path=/tmp/x --arg text=hello",
            "  gavel propose main --tool resize --arg width:=640 --ttl 5m --wait",
            "",
            "With --wait, the exit code is 0 if the call was approved and succeeded. It is 1",
            "if the call failed or its result is unknown, or if the proposal was rejected,",
            "withdrawn or expired.",
        })
public final class ProposeCommand extends TopicClientCommand {
    @Option(names = "--tool", paramLabel = "NAME", required = true, description = "The tool to call.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String tool;

    @Mixin
    private ArgumentOptions arguments = new ArgumentOptions();

    @Option(
            names = "--to",
            paramLabel = "NAME",
            description = "A member that should decide the proposal or run the call. Can be repeated.")
    private List<String> to = new ArrayList<>();

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            description = "Time until the proposal expires, such as 90s, 5m or 2h.")
    private @Nullable String ttl;

    @Option(names = "--wait", description = "Wait for the result. The exit code is 0 only if the call succeeds.")
    private boolean wait;

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json callArguments = arguments.applyTo(Json.write(json -> {
            json.writeStartObject();
            json.writeEndObject();
        }));
        if (tool.isEmpty() || Kind.parse("mcp.proposal.tools/call:" + tool) instanceof ValueParseResult.Invalid<Kind>) {
            throw new CommandException(ExitCode.USAGE, "'" + SafeText.line(tool) + "' is not a valid tool name");
        }
        String id = EnvelopeIdGenerator.next('p', Instant.now());
        List<RemoteProblem> problems = clientCommandContext
                .gateway()
                .post(topic(), ProposalEnvelopeFactory.proposal(id, tool, callArguments, List.copyOf(to), ttl()))
                .problems();
        problems.forEach(problem -> clientCommandContext.output().warn(problem.detail()));
        clientCommandContext
                .output()
                .printLine("proposed " + clientCommandContext.output().paint(TerminalStyle.BOLD, id));
        if (wait) {
            return new ProposalWaiter(clientCommandContext, topic(), id).awaitEnd();
        }
        Json proposal =
                RateLimitRetry.retry(() -> clientCommandContext.gateway().proposal(topic(), id));
        clientCommandContext.output().printLine("  status  " + ProposalTextFormatter.status(proposal));
        clientCommandContext.output().printLine("  next    " + ProposalTextFormatter.nextStep(proposal));
        clientCommandContext.output().printJson(proposal.raw());
        return ExitCode.SUCCESS;
    }

    private Optional<Duration> ttl() {
        return Optional.ofNullable(ttl)
                .map(text -> DurationTextFormat.parse(text)
                        .orElseThrow(() -> new CommandException(
                                ExitCode.USAGE,
                                "'" + SafeText.line(text) + "' is not " + DurationTextFormat.EXPECTED)));
    }
}
