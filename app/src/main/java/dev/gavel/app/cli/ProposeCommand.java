package dev.gavel.app.cli;

import dev.gavel.client.http.Problem;
import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.draft.Drafts;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.json.Json;
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

/** Proposes a call of a tool. */
@Command(
        name = "propose",
        description = "Propose a call of a tool, for somebody else to approve.",
        footer = {
            "  gavel propose main --tool write_file --arg path=/tmp/x --arg text=hello",
            "  gavel propose main --tool resize --arg width:=640 --ttl 5m --wait",
            "",
            "With --wait the exit code is the outcome: 0 if the call was made and succeeded,",
            "1 if it failed, or was rejected, withdrawn, expired, or nobody knows.",
        })
final class ProposeCommand extends InTopicCommand {
    @Option(names = "--tool", paramLabel = "NAME", required = true, description = "The tool to be called.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String tool;

    @Mixin
    private ArgumentOptions arguments = new ArgumentOptions();

    @Option(
            names = "--to",
            paramLabel = "NAME",
            description = "Whom it is meant for: who should decide it, or where it should run. May be repeated.")
    private List<String> to = new ArrayList<>();

    @Option(names = "--ttl", paramLabel = "TIME", description = "When it expires, such as 90s, 5m or 2h.")
    private @Nullable String ttl;

    @Option(names = "--wait", description = "Wait until it has ended, and exit by its outcome.")
    private boolean wait;

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        Json given = arguments.over(Json.write(json -> {
            json.writeStartObject();
            json.writeEndObject();
        }));
        if (tool.isEmpty() || Kind.parse("mcp.proposal.tools/call:" + tool) instanceof Parsed.Invalid<Kind>) {
            throw new Complaint(ExitCode.USAGE, "'" + SafeText.line(tool) + "' is not the name of a tool");
        }
        String id = EnvelopeIds.next('p', Instant.now());
        List<Problem> problems =
                client.gateway().post(topic(), Drafts.proposal(id, tool, given, List.copyOf(to), ttl()));
        problems.forEach(problem -> client.screen().warn(problem.detail()));
        client.screen().line("proposed " + client.screen().paint(Style.BOLD, id));
        if (wait) {
            return new Waiting(client, topic(), id).untilEnded();
        }
        Json proposal = Patience.answer(() -> client.gateway().proposal(topic(), id));
        client.screen().line("  status  " + ProposalText.status(proposal));
        client.screen().line("  next    " + ProposalText.nextStep(proposal));
        client.screen().document(proposal.raw());
        return ExitCode.DONE;
    }

    private Optional<Duration> ttl() {
        return Optional.ofNullable(ttl)
                .map(text -> Durations.parse(text)
                        .orElseThrow(() -> new Complaint(
                                ExitCode.USAGE, "'" + SafeText.line(text) + "' is not " + Durations.EXPECTED)));
    }
}
