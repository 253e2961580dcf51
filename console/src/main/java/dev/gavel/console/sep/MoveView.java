package dev.gavel.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Optional;

/**
 * A move that might be made.
 *
 * @param who who may make it, in words
 * @param youMay whether the reader is one of them
 * @param possible whether the reader could make it now
 * @param barred why nobody can, whatever is there
 */
public record MoveView(
        String to, String who, boolean youMay, boolean possible, List<Need> needs, Optional<String> barred) {
    public MoveView {
        needs = List.copyOf(needs);
    }

    /**
     * Something it needs.
     *
     * @param accepts what would do, or what is there
     */
    public record Need(String says, boolean met, String accepts) {}

    static MoveView of(Json json, Viewer viewer) {
        return new MoveView(
                json.at("to").text(),
                SafeText.line(json.at("who").text()),
                json.at("youMay").isTrue(),
                json.at("possible").isTrue(),
                json.at("requirements").elements().stream()
                        .map(need -> new Need(
                                Phrase.raised(SafeText.line(need.at("says").text())),
                                need.at("met").isTrue(),
                                Accepted.words(need, viewer.process())))
                        .toList(),
                json.at("barred")
                        .ifText()
                        .map(SafeText::line)
                        .map(Phrase::raised)
                        .map(Phrase::ended));
    }

    /** How many of its needs are missing. */
    public long missing() {
        return needs.stream().filter(need -> !need.met()).count();
    }

    /** Whether the reader can make it, in a sentence. */
    public String verdict() {
        if (barred.isPresent()) {
            return barred.get();
        }
        if (!youMay) {
            return "Only " + who + " may do this.";
        }
        if (possible) {
            return "You may do this now.";
        }
        return "You may do this once " + (missing() == 1 ? "what is missing is there." : "all of it is there.");
    }
}
