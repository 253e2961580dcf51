package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The votes on a SEP, its open concerns, and whether its decision is on hold.
 *
 * @param needed how many must vote for it to count
 * @param carried whether it carries now
 * @param concerns who has raised one that is open
 * @param hold why the decision is parked
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
    private static final int MOST = 100;
    private static final int LONGEST = 2_000;

    public SepVotesView {
        concerns = List.copyOf(concerns);
        votes = List.copyOf(votes);
    }

    /** How many must vote, and how many have. */
    public Optional<String> neededText() {
        return needed.map(many -> RequirementText.describeNeeded(many, votes.size()));
    }

    /** What somebody voted, and why. */
    public record VoteRow(String by, String ballot, String reason) {
        /** How it is coloured. */
        public String tone() {
            return switch (ballot) {
                case "yes" -> "good";
                case "no" -> "bad";
                case "concern" -> "warn";
                default -> "";
            };
        }
    }

    /** That a decision is parked. */
    public record Hold(Instant since, String reason) {}

    /** Nothing where no vote is held or parked. */
    static Optional<SepVotesView> of(Json show) {
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
                tally.at("concerns").texts().stream().map(SafeText::line).toList(),
                tally.at("votes").elements().stream()
                        .limit(MOST)
                        .map(vote -> new VoteRow(
                                SafeText.line(vote.at("by").text()),
                                vote.at("ballot").text(),
                                SafeText.brief(vote.at("reason").text(), LONGEST)))
                        .toList(),
                hold.at("since")
                        .asText()
                        .map(since -> new Hold(
                                Instant.parse(since),
                                SafeText.brief(hold.at("reason").text(), LONGEST)))));
    }
}
