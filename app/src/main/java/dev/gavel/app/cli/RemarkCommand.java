package dev.gavel.app.cli;

import dev.gavel.client.http.Problem;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Refused;
import dev.gavel.mcpx.draft.Drafts;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A command that says one thing about several proposals, by one envelope: reject, withdraw, status. */
abstract class RemarkCommand extends InTopicCommand {
    /** Sends it and says of each proposal whether it was taken. */
    int remark(Client client, String operation, String done, List<String> ids, Map<String, String> payload)
            throws RemoteException, InterruptedException {
        List<String> distinct = ids.stream().distinct().toList();
        List<Problem> problems;
        try {
            problems = client.gateway()
                    .post(topic(), Drafts.remark(EnvelopeIds.next('m', Instant.now()), operation, distinct, payload));
        } catch (Refused e) {
            // Not about any one proposal: then there is nothing to list.
            if (e.problem().proposal().isEmpty()) {
                throw e;
            }
            problems = e.problems();
        }
        List<Problem> failed = problems;
        List<String> taken = distinct.stream()
                .filter(id -> failed.stream().noneMatch(about(id)))
                .toList();
        print(client.screen(), done, taken, failed);
        return failed.isEmpty() ? ExitCode.DONE : ExitCode.NO;
    }

    private static Predicate<Problem> about(String id) {
        return problem -> problem.proposal().filter(id::equals).isPresent();
    }

    private static void print(Screen screen, String done, List<String> taken, List<Problem> failed) {
        taken.forEach(id -> screen.line(done + " " + SafeText.line(id)));
        failed.forEach(problem -> screen.warn(
                problem.proposal().map(id -> id + ": ").orElse("") + problem.detail() + " (" + problem.code() + ")"));
        screen.document(Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("done");
                    taken.forEach(json::writeString);
                    json.writeEndArray();
                    json.writeArrayPropertyStart("failed");
                    for (Problem problem : failed) {
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
