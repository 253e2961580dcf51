package dev.gavel.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A SEP in a few words, as lists have it.
 *
 * @param since since when it is in its state
 * @param move whose move it is; nobody's where it is settled
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
        List<Holder> move) {
    static final int LONGEST_TITLE = 200;

    public SepCard {
        authors = List.copyOf(authors);
        move = List.copyOf(move);
    }

    static SepCard of(Json line, Viewer viewer) {
        String state = line.at("status").text();
        return new SepCard(
                (int) line.at("number").number(0),
                title(line),
                state,
                viewer.tone(state),
                SafeText.line(line.at("type").text()),
                line.at("authors").texts().stream().map(SafeText::line).toList(),
                line.at("sponsor").ifText().map(SafeText::line),
                Instant.parse(line.at("since").text()),
                viewer.holders(line.at("mustAct")));
    }

    static String title(Json line) {
        String title = SafeText.brief(line.at("title").text(), LONGEST_TITLE);
        return title.isBlank() ? "Untitled" : title;
    }

    public String path() {
        return path(number);
    }

    /** Where a SEP's page is. */
    public static String path(int number) {
        return SepPages.PATH + "/" + number;
    }

    /** Whether it is the reader's move. */
    public boolean mine() {
        return move.stream().anyMatch(Holder::you);
    }

    /** Whether it is the reader's move and nobody else's of their role. */
    public boolean named() {
        return move.stream().anyMatch(holder -> holder.you() && !holder.as().isEmpty());
    }

    /** Whose move it is, in words. */
    public String whose() {
        return String.join(", ", move.stream().map(Holder::words).toList());
    }
}
