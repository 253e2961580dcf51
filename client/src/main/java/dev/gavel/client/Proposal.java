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
 * @param couldRun the connected participants that could run the call; only recipients, if any of these could
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

    /** Returns the only participant that could run the call; empty if there are several or none. */
    Optional<String> runner() {
        return couldRun.size() == 1 ? Optional.of(couldRun.getFirst()) : Optional.empty();
    }
}
