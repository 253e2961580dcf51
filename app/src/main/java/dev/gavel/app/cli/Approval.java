package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.draft.Drafts;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** What it takes to make the call that somebody proposed. */
record Approval(String topic, Json proposal) {
    private static final Set<String> WITH_ARGUMENTS = Set.of("tools/call", "prompts/get");

    /** What the call is made with, exactly as it was proposed. */
    Json params() {
        return proposal.at("payload").at("params");
    }

    /** The same with other arguments. */
    Json paramsWith(Json arguments) {
        if (!WITH_ARGUMENTS.contains(method())) {
            throw new Complaint(ExitCode.USAGE, "a call of " + SafeText.line(method()) + " has no arguments to edit");
        }
        return params().with("arguments", arguments);
    }

    boolean hasArguments() {
        return WITH_ARGUMENTS.contains(method());
    }

    private String method() {
        return proposal.at("payload").at("method").text();
    }

    /** Who is connected and could run it. */
    List<String> couldRun() {
        return proposal.at("couldRun").texts();
    }

    /** What is called with that. */
    String what(Json params) {
        Json payload = proposal.at("payload");
        return ProposalText.what(params.there() ? payload.with("params", params) : payload);
    }

    /** Makes the call, and gives the id of the request that makes it. */
    String send(RemoteGateway gateway, Json params, String runner) throws RemoteException, InterruptedException {
        String id = proposal.at("id").text();
        Kind kind = switch (Kind.parse(proposal.at("kind").text())) {
            case Parsed.Valid<Kind>(Kind known) when known.method() != null -> known;
            default ->
                throw new Complaint(ExitCode.NO, SafeText.line(id) + " is of a kind that this program does not know");
        };
        String request = EnvelopeIds.next('r', Instant.now());
        gateway.post(topic, Drafts.fulfilment(request, id, kind, params, List.of(runner)));
        return request;
    }
}
