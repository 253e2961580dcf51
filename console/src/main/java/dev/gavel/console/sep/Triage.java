package dev.gavel.console.sep;

import dev.gavel.console.Frame;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;

/**
 * The SEPs that wait for somebody to look after them, the longest waiting first.
 *
 * @param count how many there are, of which these are the first
 */
public record Triage(Frame frame, long count, List<Waiting> waiting) {
    public Triage {
        waiting = List.copyOf(waiting);
    }

    /**
     * One that waits.
     *
     * @param answered whether somebody has answered its author at all
     * @param since since when it waits: its submission, or the last answer
     * @param nextStep for the reader
     */
    public record Waiting(SepCard card, boolean answered, Instant since, String nextStep) {}

    /** What the desk says. */
    public static Triage of(Frame frame, Json triage, Viewer viewer) {
        return new Triage(
                frame,
                triage.at("count").number(0),
                triage.at("seps").elements().stream()
                        .map(sep -> new Waiting(
                                SepCard.of(sep, viewer),
                                sep.at("answered").isTrue(),
                                Instant.parse(sep.at("waitingSince").text()),
                                SafeText.line(sep.at("nextStep").text())))
                        .toList());
    }
}
