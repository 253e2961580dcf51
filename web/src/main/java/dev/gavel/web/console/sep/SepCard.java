package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A short summary of a SEP, as the board and lists show it.
 *
 * @param since when the SEP entered its state
 * @param requiredActors the people and roles that must act; empty if the SEP is settled
 */
public record SepCard(
        int number,
        String title,
        String state,
        String tone,
        String type,
        List<String> authors,
        Optional<String> sponsor,
        Instant since,
        List<SepRequiredActor> requiredActors) {
    static final int MAX_TITLE_LENGTH = 200;

    public SepCard {
        authors = List.copyOf(authors);
        requiredActors = List.copyOf(requiredActors);
    }

    static SepCard of(Json line, SepPageContext sepPageContext) {
        String state = line.at("status").text();
        return new SepCard(
                (int) line.at("number").asLong(0),
                title(line),
                state,
                sepPageContext.tone(state),
                SafeText.line(line.at("type").text()),
                line.at("authors").texts().stream()
                        .map(sepPageContext::personName)
                        .toList(),
                line.at("sponsor").asText().map(sepPageContext::personName),
                Instant.parse(line.at("since").text()),
                sepPageContext.requiredActors(line.at("mustAct")));
    }

    static String title(Json line) {
        String title = SafeText.brief(line.at("title").text(), MAX_TITLE_LENGTH);
        return title.isBlank() ? "Untitled" : title;
    }

    public String path() {
        return path(number);
    }

    public static String path(int number) {
        return SepPageRenderer.PATH + "/" + number;
    }

    /** Whether the reader must act. */
    public boolean isReadersTurn() {
        return requiredActors.stream().anyMatch(SepRequiredActor::you);
    }

    /** Whether the reader must act personally, not merely as one of the holders of a role. */
    public boolean namesReader() {
        return requiredActors.stream()
                .anyMatch(sepRequiredActor ->
                        sepRequiredActor.you() && !sepRequiredActor.role().isEmpty());
    }

    /** The people and roles that must act, as text. */
    public String requiredActorsText() {
        return String.join(
                ", ", requiredActors.stream().map(SepRequiredActor::text).toList());
    }
}
