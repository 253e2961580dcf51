package dev.gavel.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a vote stands.
 *
 * @param needed how many must vote for it to count
 * @param carried whether it carries now
 * @param concerns who has raised one that is open
 * @param hold why the decision is parked
 */
public record Votes(
        long yes,
        long no,
        long abstain,
        Optional<Long> needed,
        boolean carried,
        List<String> concerns,
        List<Vote> cast,
        Optional<Hold> hold) {
    private static final int MOST = 100;
    private static final int LONGEST = 2_000;

    public Votes {
        concerns = List.copyOf(concerns);
        cast = List.copyOf(cast);
    }

    /** How many must vote, and how many have. */
    public Optional<String> need() {
        return needed.map(many -> Accepted.needed(many, cast.size()));
    }

    /** What somebody voted, and why. */
    public record Vote(String by, String ballot, String reason) {
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
    static Optional<Votes> of(Json show) {
        Json tally = show.at("tally");
        Json hold = show.at("hold");
        if (!tally.there() && !hold.there()) {
            return Optional.empty();
        }
        return Optional.of(new Votes(
                tally.at("yes").number(0),
                tally.at("no").number(0),
                tally.at("abstain").number(0),
                tally.at("needed").there() ? Optional.of(tally.at("needed").number(0)) : Optional.empty(),
                tally.at("carried").isTrue(),
                tally.at("concerns").texts().stream().map(SafeText::line).toList(),
                tally.at("votes").elements().stream()
                        .limit(MOST)
                        .map(vote -> new Vote(
                                SafeText.line(vote.at("by").text()),
                                vote.at("ballot").text(),
                                SafeText.brief(vote.at("reason").text(), LONGEST)))
                        .toList(),
                hold.at("since")
                        .ifText()
                        .map(since -> new Hold(
                                Instant.parse(since),
                                SafeText.brief(hold.at("reason").text(), LONGEST)))));
    }
}
