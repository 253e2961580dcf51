package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Base class of the commands that send one envelope about several proposals: reject, withdraw and status. */
abstract class AbstractProposalBatchCommand extends TopicClientCommand {
    /** Sends the envelope and prints for each proposal whether the gateway accepted it. */
    int sendForAll(
            ClientCommandContext clientCommandContext,
            String operation,
            String outcomeVerb,
            List<String> ids,
            Map<String, String> payload)
            throws RemoteGatewayException, InterruptedException {
        List<String> distinct = ids.stream().distinct().toList();
        List<RemoteProblem> problems;
        try {
            problems = clientCommandContext
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
            problems = e.problems();
        }
        List<RemoteProblem> failures = problems;
        List<String> acceptedIds = distinct.stream()
                .filter(id -> failures.stream().noneMatch(concerns(id)))
                .toList();
        print(clientCommandContext.output(), outcomeVerb, acceptedIds, failures);
        return failures.isEmpty() ? ExitCode.SUCCESS : ExitCode.FAILURE;
    }

    private static Predicate<RemoteProblem> concerns(String id) {
        return problem -> problem.proposal().filter(id::equals).isPresent();
    }

    private static void print(
            CommandOutput commandOutput, String outcomeVerb, List<String> acceptedIds, List<RemoteProblem> failures) {
        acceptedIds.forEach(id -> commandOutput.printLine(outcomeVerb + " " + SafeText.line(id)));
        failures.forEach(problem -> commandOutput.warn(
                problem.proposal().map(id -> id + ": ").orElse("") + problem.detail() + " (" + problem.code() + ")"));
        commandOutput.printJson(Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("done");
                    acceptedIds.forEach(json::writeString);
                    json.writeEndArray();
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
}
