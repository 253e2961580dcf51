package dev.gavel.client;

import dev.gavel.mcpx.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the gateway says about a proposal: its status, who must act, the next step, and when the current state ends by
 * itself. Immutable.
 *
 * @param status a sentence, such as "waiting for alice (connected); expires 10:15"
 * @param mustAct the connected participants that must act next
 * @param waitingOn the participants that would have to connect first
 * @param nextStep what the reader can do about it
 * @param until when the current state ends by itself
 */
public record Guidance(
        String status, List<String> mustAct, List<String> waitingOn, String nextStep, Optional<Instant> until) {
    public Guidance {
        mustAct = List.copyOf(mustAct);
        waitingOn = List.copyOf(waitingOn);
    }

    static Guidance of(Json guidance) {
        return new Guidance(
                guidance.at("status").text(),
                guidance.at("mustAct").elements().stream()
                        .map(each -> each.at("who").text())
                        .toList(),
                guidance.at("waitingOn").texts(),
                guidance.at("nextStep").text(),
                time(guidance.at("until")));
    }

    static Optional<Instant> time(Json value) {
        try {
            return value.asText().map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
