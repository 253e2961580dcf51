package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The votes on a SEP, its open concerns, and whether its decision is on hold.
 *
 * @param needed the number of votes needed for a decision
 * @param carried whether the vote carries at present
 * @param concerns the voters with an open concern
 * @param hold why the decision is on hold
 */
public record SepVotesView(
        long yes,
        long no,
        long abstain,
        Optional<Long> needed,
        boolean carried,
        List<String> concerns,
        List<VoteRow> votes,
        Optional<Hold> hold) {
    private static final int MAX_VOTES = 100;
    private static final int MAX_REASON_LENGTH = 2_000;

    public SepVotesView {
        concerns = List.copyOf(concerns);
        votes = List.copyOf(votes);
    }

    /** The number of votes needed and the number of votes so far, as text. */
    public Optional<String> neededText() {
        return needed.map(many -> RequirementTextFormatter.describeNeeded(many, votes.size()));
    }

    /** A vote and its reason. */
    public record VoteRow(String by, String ballot, String reason) {
        /** The colour of the vote. */
        public String tone() {
            return switch (ballot) {
                case "yes" -> "good";
                case "no" -> "bad";
                case "concern" -> "warn";
                default -> "";
            };
        }
    }

    /** A decision put on hold. */
    public record Hold(Instant since, String reason) {}

    /** Returns empty if there is neither a vote nor a hold. */
    static Optional<SepVotesView> of(Json show, SepPageContext sepPageContext) {
        Json tally = show.at("tally");
        Json hold = show.at("hold");
        if (!tally.isPresent() && !hold.isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new SepVotesView(
                tally.at("yes").asLong(0),
                tally.at("no").asLong(0),
                tally.at("abstain").asLong(0),
                tally.at("needed").isPresent() ? Optional.of(tally.at("needed").asLong(0)) : Optional.empty(),
                tally.at("carried").isTrue(),
                tally.at("concerns").texts().stream()
                        .map(sepPageContext::personName)
                        .toList(),
                tally.at("votes").elements().stream()
                        .limit(MAX_VOTES)
                        .map(vote -> new VoteRow(
                                sepPageContext.personName(vote.at("by").text()),
                                vote.at("ballot").text(),
                                SafeText.brief(
                                        EnglishTextFormatter.joinLines(
                                                vote.at("reason").text()),
                                        MAX_REASON_LENGTH)))
                        .toList(),
                hold.at("since")
                        .asText()
                        .map(since -> new Hold(
                                Instant.parse(since),
                                SafeText.brief(
                                        EnglishTextFormatter.joinLines(
                                                hold.at("reason").text()),
                                        MAX_REASON_LENGTH)))));
    }
}
