package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The SEP service's guidance for a SEP as its page shows it: status, who must act, and the reader's next step.
 *
 * @param status in a sentence
 * @param mustAct whose move it is
 * @param waitingOn whose answer they need
 * @param nextStep for the reader
 */
public record SepGuidanceView(
        String status,
        List<SepRequiredActor> mustAct,
        List<String> waitingOn,
        String nextStep,
        Optional<ExpectedDate> expectedDate) {
    public SepGuidanceView {
        mustAct = List.copyOf(mustAct);
        waitingOn = List.copyOf(waitingOn);
    }

    /** By when something is to have happened, and what happens otherwise. */
    public record ExpectedDate(LocalDate by, String then) {}

    static SepGuidanceView of(Json next, SepPageContext sepPageContext) {
        Json expected = next.at("expectedBy");
        return new SepGuidanceView(
                EnglishTextFormatter.capitalize(SafeText.line(next.at("says").text())),
                sepPageContext.requiredActors(next.at("mustAct")),
                next.at("waitingOn").texts().stream()
                        .map(sepPageContext::displayName)
                        .toList(),
                SafeText.line(next.at("nextStep").text()),
                expected.at("date")
                        .asText()
                        .map(date -> new ExpectedDate(
                                LocalDate.parse(date),
                                EnglishTextFormatter.withFullStop(
                                        then(SafeText.line(expected.at("then").text()), sepPageContext)))));
    }

    /** Whether something is asked of a reader whose move it is not. */
    public boolean hasNextStep() {
        return !nextStep.isBlank() && !nextStep.startsWith("Nothing ");
    }

    /** The reader is "you", where it is said who is reminded. */
    private static String then(String said, SepPageContext sepPageContext) {
        String reminded = " will be reminded";
        return said.endsWith(reminded)
                ? Pattern.compile(
                                "(?<=^|, | and | or )" + Pattern.quote(sepPageContext.id()) + "(?=,| and | or |"
                                        + reminded + ")",
                                Pattern.CASE_INSENSITIVE)
                        .matcher(said)
                        .replaceAll("you")
                : said;
    }

    /** Whether it is the reader's move. */
    public boolean isReadersTurn() {
        return mustAct.stream().anyMatch(SepRequiredActor::you);
    }

    /** Whether nobody need do anything. */
    public boolean isSettled() {
        return mustAct.isEmpty();
    }
}
