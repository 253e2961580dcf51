package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The SEP service's guidance for a SEP as its page shows it: status, who must act, and the reader's next step.
 *
 * @param status the status as a sentence
 * @param mustAct the people and roles that must act
 * @param waitingOn the people and roles whose answer they need
 * @param nextStep the reader's next step
 * @param notices what the reader should know besides: votes that an edit voided, and evidence that waits for a
 *     confirmation
 * @param lastMove the move that led to the current state, if evidence came with it
 */
public record SepGuidanceView(
        String status,
        List<SepRequiredActor> mustAct,
        List<String> waitingOn,
        String nextStep,
        Optional<ExpectedDate> expectedDate,
        List<String> notices,
        Optional<LastMove> lastMove) {
    private static final int MAX_NOTICE_LENGTH = 600;

    public SepGuidanceView {
        mustAct = List.copyOf(mustAct);
        waitingOn = List.copyOf(waitingOn);
        notices = List.copyOf(notices);
    }

    /** The date by which something is expected, and what happens then. */
    public record ExpectedDate(LocalDate by, String consequence) {}

    /** A move with its evidence, such as a rejection with its rationale. */
    public record LastMove(String to, String by, Instant at, List<GivenEvidence> evidence) {
        public LastMove {
            evidence = List.copyOf(evidence);
        }
    }

    /** A piece of evidence that came with a move, with its whole text. */
    public record GivenEvidence(String label, String value) {}

    private static List<String> notices(Json next, SepPageContext sepPageContext) {
        List<String> notices = new ArrayList<>();
        Json voided = next.at("voidedVotes");
        if (voided.isPresent()) {
            notices.add(
                    "An edit of " + sepPageContext.personName(voided.at("by").text()) + " voided the votes of "
                            + voided.at("voters").texts().stream()
                                    .map(sepPageContext::personName)
                                    .collect(Collectors.joining(", "))
                            + ".");
        }
        next.at("confirmations")
                .elements()
                .forEach(piece -> notices.add(EnglishTextFormatter.capitalize(
                                SafeText.line(piece.at("says").text()))
                        + " of " + sepPageContext.personName(piece.at("by").text())
                        + " waits for the confirmation of another person (role "
                        + SafeText.line(piece.at("role").text()) + "): "
                        + SafeText.brief(
                                EnglishTextFormatter.joinLines(piece.at("value").text()), MAX_NOTICE_LENGTH)));
        return notices;
    }

    private static Optional<LastMove> lastMove(Json move, SepPageContext sepPageContext) {
        return move.at("evidence").elements().isEmpty()
                ? Optional.empty()
                : Optional.of(new LastMove(
                        SafeText.line(move.at("to").text()),
                        sepPageContext.personName(move.at("by").text()),
                        Instant.parse(move.at("at").text()),
                        move.at("evidence").elements().stream()
                                .map(piece -> new GivenEvidence(
                                        EnglishTextFormatter.capitalize(
                                                SafeText.line(piece.at("says").text())),
                                        SafeText.lines(piece.at("value").text())))
                                .toList()));
    }

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
                                DeadlineConsequenceFormatter.format(
                                        SafeText.line(expected.at("then").text()),
                                        sepPageContext.personName(sepPageContext.id())))),
                notices(next, sepPageContext),
                lastMove(next.at("lastMove"), sepPageContext));
    }

    /** Whether the guidance names a next step for the reader, also if it is not the reader's turn. */
    public boolean hasNextStep() {
        return !nextStep.isBlank() && !nextStep.startsWith("Nothing ");
    }

    /** Whether the reader must act. */
    public boolean isReadersTurn() {
        return mustAct.stream().anyMatch(SepRequiredActor::you);
    }

    /** Whether no action is required. */
    public boolean isSettled() {
        return mustAct.isEmpty();
    }
}
