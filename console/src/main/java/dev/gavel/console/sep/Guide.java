package dev.gavel.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a SEP stands and what its reader is to do: the desk's guidance, on a page.
 *
 * @param status in a sentence
 * @param mustAct whose move it is
 * @param waitingOn whose answer they need
 * @param nextStep for the reader
 */
public record Guide(
        String status, List<Holder> mustAct, List<String> waitingOn, String nextStep, Optional<Expected> expected) {
    public Guide {
        mustAct = List.copyOf(mustAct);
        waitingOn = List.copyOf(waitingOn);
    }

    /** By when something is to have happened, and what happens otherwise. */
    public record Expected(LocalDate by, String then) {}

    static Guide of(Json next, Viewer viewer) {
        Json expected = next.at("expectedBy");
        return new Guide(
                Phrase.raised(SafeText.line(next.at("says").text())),
                viewer.holders(next.at("mustAct")),
                next.at("waitingOn").texts().stream().map(viewer::called).toList(),
                SafeText.line(next.at("nextStep").text()),
                expected.at("date")
                        .ifText()
                        .map(date -> new Expected(
                                LocalDate.parse(date),
                                Phrase.ended(
                                        then(SafeText.line(expected.at("then").text()), viewer)))));
    }

    /** Whether something is asked of a reader whose move it is not. */
    public boolean asks() {
        return !nextStep.isBlank() && !nextStep.startsWith("Nothing ");
    }

    /** The reader is "you", where it is said who is reminded. */
    private static String then(String said, Viewer viewer) {
        String reminded = " will be reminded";
        return said.endsWith(reminded)
                ? Pattern.compile(
                                "(?<=^|, | and | or )" + Pattern.quote(viewer.id()) + "(?=,| and | or |" + reminded
                                        + ")",
                                Pattern.CASE_INSENSITIVE)
                        .matcher(said)
                        .replaceAll("you")
                : said;
    }

    /** Whether it is the reader's move. */
    public boolean mine() {
        return mustAct.stream().anyMatch(Holder::you);
    }

    /** Whether nobody need do anything. */
    public boolean atRest() {
        return mustAct.isEmpty();
    }
}
