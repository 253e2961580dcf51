package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemotePostResult;
import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.core.JsonGenerator;

/** Base class of the commands that send one envelope about several proposals: reject, withdraw and status. */
abstract class AbstractProposalBatchCommand extends TopicClientCommand {
    /** Describes for one accepted proposal what the envelope did to it. */
    @FunctionalInterface
    interface OutcomeDescriber {
        AcceptedProposal describe(String id, RemotePostResult answer);
    }

    /**
     * What the envelope did to a proposal.
     *
     * @param closed whether the proposal is closed now; empty if the envelope never closes a proposal
     * @param effective whether the sender's intention took effect
     */
    record AcceptedProposal(String id, String line, Optional<Boolean> closed, String detail, boolean effective) {
        static AcceptedProposal of(String id, String outcomeVerb) {
            return new AcceptedProposal(id, outcomeVerb + " " + SafeText.line(id), Optional.empty(), "", true);
        }
    }

    /** Sends the envelope and prints for each proposal whether the gateway accepted it, and what it did. */
    int sendForAll(
            ClientCommandContext clientCommandContext,
            String operation,
            OutcomeDescriber outcomeDescriber,
            List<String> ids,
            Map<String, String> payload)
            throws RemoteGatewayException, InterruptedException {
        List<String> distinct = ids.stream().distinct().toList();
        RemotePostResult answer;
        try {
            answer = clientCommandContext
                    .gateway()
                    .post(
                            topic(),
                            ProposalEnvelopeFactory.proposalUpdate(
                                    EnvelopeIdGenerator.next('m', Instant.now()), operation, distinct, payload));
        } catch (Refused e) {
            // The refusal concerns no single proposal, so there is no list to print.
            if (e.problem().proposal().isEmpty()) {
                throw e;
            }
            answer = new RemotePostResult(e.problems(), List.of());
        }
        RemotePostResult received = answer;
        List<AcceptedProposal> accepted = distinct.stream()
                .filter(id -> received.problems().stream().noneMatch(concerns(id)))
                .map(id -> outcomeDescriber.describe(id, received))
                .toList();
        print(clientCommandContext.output(), accepted, received.problems());
        return received.problems().isEmpty() && accepted.stream().allMatch(AcceptedProposal::effective)
                ? ExitCode.SUCCESS
                : ExitCode.FAILURE;
    }

    private static Predicate<RemoteProblem> concerns(String id) {
        return problem -> problem.proposal().filter(id::equals).isPresent();
    }

    private void print(CommandOutput commandOutput, List<AcceptedProposal> accepted, List<RemoteProblem> failures) {
        accepted.forEach(each -> commandOutput.printLine(each.line()));
        failures.forEach(problem -> commandOutput.warn(
                problem.proposal().map(id -> id + ": ").orElse("") + problem.detail() + " (" + problem.code() + ")"
                        + (problem.code().equals("unknown_proposal") ? " " + listProposalsHint(topic()) : "")));
        commandOutput.printJson(Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("done");
                    accepted.forEach(each -> json.writeString(each.id()));
                    json.writeEndArray();
                    writeClosed(json, accepted, failures);
                    json.writeArrayPropertyStart("failed");
                    for (RemoteProblem problem : failures) {
                        json.writeStartObject();
                        problem.proposal().ifPresent(id -> json.writeStringProperty("proposal", id));
                        json.writeStringProperty("code", problem.code());
                        json.writeStringProperty("detail", problem.detail());
                        problem.state().ifPresent(state -> json.writeStringProperty("state", state));
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                })
                .raw());
    }

    /** Writes whether each proposal is closed now, and whether all of them are. */
    private static void writeClosed(JsonGenerator json, List<AcceptedProposal> accepted, List<RemoteProblem> failures) {
        List<AcceptedProposal> closable =
                accepted.stream().filter(each -> each.closed().isPresent()).toList();
        if (closable.isEmpty()) {
            return;
        }
        json.writeBooleanProperty(
                "closed",
                failures.isEmpty()
                        && closable.stream().allMatch(each -> each.closed().orElseThrow()));
        json.writeArrayPropertyStart("results");
        for (AcceptedProposal each : closable) {
            json.writeStartObject();
            json.writeStringProperty("proposal", each.id());
            json.writeBooleanProperty("closed", each.closed().orElseThrow());
            json.writeStringProperty("detail", each.detail());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
