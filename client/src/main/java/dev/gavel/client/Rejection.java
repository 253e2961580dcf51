package dev.gavel.client;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * A participant's rejection of a proposal, with its reason and note. Immutable.
 *
 * @param reason a code such as {@code unsafe}, or free text
 */
public record Rejection(String from, String reason, Optional<String> note) {
    static List<Rejection> listOf(Json reasons) {
        return reasons.elements().stream()
                .map(each -> new Rejection(
                        each.at("from").text(),
                        each.at("reason").text(),
                        each.at("note").asText()))
                .toList();
    }
}
