package dev.gavel.client;

import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A proposal as the gateway shows it to this participant: its call, state, recipients and guidance. Immutable.
 *
 * @param from the proposer
 * @param to the recipients
 * @param call the proposed call
 * @param state open, fulfilled, rejected, withdrawn or expired
 * @param couldRun the connected participants that could run the call; only recipients, if the call is addressed to
 *     participants that run calls
 * @param mayDecide whether this participant may approve or reject it now
 * @param json the gateway's full view of the proposal, including its timeline
 */
public record Proposal(
        String id,
        String from,
        List<String> to,
        Call call,
        String state,
        Optional<Instant> expiresAt,
        List<String> couldRun,
        Guidance guidance,
        boolean mayDecide,
        Json json) {
    public Proposal {
        to = List.copyOf(to);
        couldRun = List.copyOf(couldRun);
    }

    static Proposal of(Json view) {
        return new Proposal(
                view.at("id").text(),
                view.at("from").text(),
                view.at("to").texts(),
                Call.of(view.at("payload")),
                view.at("state").text(),
                Guidance.time(view.at("expiresAt")),
                view.at("couldRun").texts(),
                Guidance.of(view.at("guidance")),
                view.at("guidance").at("toAdvance").elements().stream()
                        .anyMatch(step -> step.at("youMay").isTrue()
                                && !step.at("to").text().equals("withdrawn")),
                view);
    }

    boolean isOpen() {
        return state.equals("open");
    }

    Kind kind() {
        return Kind.of(json.at("kind").text());
    }

    /** Returns the participants that offer the call, if it is addressed to others that cannot run it now. */
    List<String> couldRunInstead() {
        return json.at("couldRunInstead").texts();
    }

    /**
     * Returns the digest of a participant's definition of the tool that this proposal shows, if the gateway did not know
     * the definition when the call was proposed. An approval has to name it.
     */
    Optional<String> newDefinition(String participant) {
        return json.at("tools").elements().stream()
                .filter(tool -> tool.at("participant").text().equals(participant)
                        && tool.at("state").text().equals("new"))
                .findFirst()
                .flatMap(tool -> tool.at("digest").asText());
    }

    /** Returns the only participant that could run the call; empty if there are several or none. */
    Optional<String> runner() {
        return couldRun.size() == 1 ? Optional.of(couldRun.getFirst()) : Optional.empty();
    }
}
