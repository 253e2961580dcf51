package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.client.json.Json;
import dev.gavel.client.wire.Drafts;
import dev.gavel.client.wire.EnvelopeIds;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Parsed;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the call that somebody proposed. */
@Command(
        name = "approve",
        description = "Approve a proposal: make the call as proposed, or with other arguments.",
        footer = {
            "  gavel approve main p-019a8f0c1d2e0102030405",
            "  gavel approve main p-019a8f0c1d2e0102030405 --arg path=/tmp/y --wait",
            "",
            "Arguments that are not named stay as proposed. Both sets are kept and shown.",
        })
final class ApproveCommand extends ClientCommand {
    private static final Set<String> WITH_ARGUMENTS = Set.of("tools/call", "prompts/get");

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
    int run(Client client) throws RemoteException, InterruptedException {
        Json proposal = client.gateway().proposal(topic(), id);
        Screen screen = client.screen();
        if (!proposal.at("state").text().equals("open")) {
            screen.document(proposal.raw());
            throw new Complaint(ExitCode.NO, id() + " is not open any more: " + ProposalText.status(proposal));
        }
        Kind kind = kind(proposal);
        Json params = params(proposal.at("payload"));
        String runner = runner(proposal.at("couldRun").texts());
        String request = EnvelopeIds.next('r', Instant.now());
        client.gateway().post(topic(), Drafts.fulfilment(request, id, kind, params, List.of(runner)));
        String what = ProposalText.what(
                params.there() ? proposal.at("payload").with("params", params) : proposal.at("payload"));
        screen.line(screen.paint(Style.GOOD, "approved") + " " + id() + (arguments.given() ? ", edited" : "") + ": "
                + what);
        if (wait) {
            return new Waiting(client, topic(), id).untilEnded();
        }
        Json decided = client.gateway().proposal(topic(), id);
        screen.line("  run by  " + SafeText.line(runner) + ", as " + request);
        screen.line("  status  " + ProposalText.status(decided));
        screen.document(decided.raw());
        return ExitCode.DONE;
    }

    private String id() {
        return SafeText.line(id);
    }

    private Kind kind(Json proposal) {
        return switch (Kind.parse(proposal.at("kind").text())) {
            case Parsed.Valid<Kind>(Kind kind) when kind.method() != null -> kind;
            default -> throw new Complaint(ExitCode.NO, id() + " is of a kind that this program does not know");
        };
    }

    /** Exactly what was proposed, but for what the reviewer changed. */
    private Json params(Json payload) {
        Json params = payload.at("params");
        if (!arguments.given()) {
            return params;
        }
        if (!WITH_ARGUMENTS.contains(payload.at("method").text())) {
            throw new Complaint(
                    ExitCode.USAGE,
                    "a call of " + SafeText.line(payload.at("method").text()) + " has no arguments to edit");
        }
        return params.with("arguments", arguments.over(params.at("arguments")));
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
