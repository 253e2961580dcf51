package dev.gavel.cli.proposal;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.ApprovalOptions;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Sends a reviewer's approval of a proposal to the server, with the proposed or with edited parameters. */
public record ProposalApprovalSender(String topic, Json proposal) {
    private static final Set<String> METHODS_WITH_ARGUMENTS = Set.of("tools/call", "prompts/get");

    /** The call's parameters, exactly as proposed. */
    public Json params() {
        return proposal.at("payload").at("params");
    }

    /** Returns the parameters with other arguments. Throws a usage error if the method takes no arguments. */
    public Json paramsWith(Json arguments) {
        if (!METHODS_WITH_ARGUMENTS.contains(method())) {
            throw new CommandException(
                    ExitCode.USAGE, "a " + SafeText.line(method()) + " call has no arguments to edit");
        }
        return params().with("arguments", arguments);
    }

    /**
     * Returns the proposal as the server assesses it for these parameters and this runner: the proposal's own assessment
     * is only about the call as proposed, on the participants that the server would choose. The server of an earlier
     * version cannot assess it, so the result then has no assessment.
     */
    public Json assess(RemoteGateway gateway, Json params, Optional<String> runner)
            throws RemoteGatewayException, InterruptedException {
        Json draft = Json.object();
        if (!params.equals(params())) {
            draft = draft.with("arguments", params.at("arguments"));
        }
        if (runner.isPresent()) {
            draft = draft.with("to", Json.ofText(runner.get()));
        }
        Json assessment;
        try {
            assessment = gateway.assess(topic, proposal.at("id").text(), draft);
        } catch (RemoteGatewayException.Refused refused) {
            if (refused.problem().status() != 404 || refused.problem().code().equals("unknown_proposal")) {
                throw refused;
            }
            return proposal.with("review", Json.object());
        }
        Json assessed =
                proposal.with("review", assessment.at("review").isPresent() ? assessment.at("review") : Json.object());
        return assessment.at("tools").isPresent() ? assessed.with("tools", assessment.at("tools")) : assessed;
    }

    public boolean hasArguments() {
        return METHODS_WITH_ARGUMENTS.contains(method());
    }

    private String method() {
        return proposal.at("payload").at("method").text();
    }

    /** The digests of the tool's current definitions, as the reviewer was shown them. */
    public List<String> shownDefinitions() {
        return proposal.at("tools").elements().stream()
                .flatMap(tool -> tool.at("digest").asText().stream())
                .toList();
    }

    /** Whether an approved proposal has edited arguments that could not be checked against a schema. */
    public static boolean isEditUnchecked(Json approvedProposal) {
        return approvedProposal.at("timeline").elements().stream()
                .anyMatch(step -> step.at("check").text().equals("no_schema"));
    }

    /** Whether an approval must name the tool's definition: it changed after the proposal, or was not known then. */
    public boolean mustNameDefinition() {
        return proposal.at("tools").elements().stream().anyMatch(ProposalApprovalSender::mustNameDefinition);
    }

    static boolean mustNameDefinition(Json tool) {
        return Set.of("changed", "new").contains(tool.at("state").text());
    }

    /** The connected participants that can run the call. */
    public List<String> possibleRunners() {
        return proposal.at("couldRun").texts();
    }

    /** The connected participants that offer the call, if it is addressed to others that cannot run it now. */
    public List<String> alternativeRunners() {
        return proposal.at("couldRunInstead").texts();
    }

    /** Describes the call with these parameters as text. */
    public String describeCall(Json params) {
        Json payload = proposal.at("payload");
        return ProposalTextFormatter.describeCall(
                params.isPresent() ? payload.with("params", params) : payload,
                proposal.at("id").text());
    }

    /** Sends the request that approves the proposal and returns the request's id. */
    public String send(RemoteGateway gateway, Json params, String runner, ApprovalOptions options)
            throws RemoteGatewayException, InterruptedException {
        String id = proposal.at("id").text();
        Kind kind = switch (Kind.parse(proposal.at("kind").text())) {
            case ValueParseResult.Valid<Kind>(Kind parsedKind) when parsedKind.method() != null -> parsedKind;
            default ->
                throw new CommandException(
                        ExitCode.FAILURE,
                        SafeText.line(id) + " has a kind that this version of gavel does not support");
        };
        String request = EnvelopeIdGenerator.next('r', Instant.now());
        gateway.post(topic, ProposalEnvelopeFactory.fulfilment(request, id, kind, params, List.of(runner), options));
        return request;
    }
}
