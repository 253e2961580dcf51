package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.VoteRound;
import dev.gavel.lifecycle.process.VoteRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The result of counting the ballots of a vote: the number of each choice, and whether the vote has carried.
 *
 * @param concerns the voters with an open concern
 * @param votesNeeded the quorum; empty if it depends on the number of eligible voters and that number is unknown
 * @param carried whether the vote has carried
 * @param castBeforeEdit the number of ballots cast before the last change of the text
 */
public record VoteTally(
        int yes,
        int no,
        int abstain,
        List<Person> concerns,
        OptionalInt votesNeeded,
        boolean carried,
        int castBeforeEdit) {
    public VoteTally {
        concerns = List.copyOf(concerns);
    }

    /** Counts the ballots of the current voters; if the electorate is unknown, counts all ballots. */
    static VoteTally of(VoteRule rule, VoteRound voteRound, Optional<List<Person>> electorate) {
        Map<Person, VoteRound.CastBallot> ballots = new LinkedHashMap<>(voteRound.ballots());
        electorate.ifPresent(ballots.keySet()::retainAll);
        int yes = count(ballots, BallotChoice.YES);
        int no = count(ballots, BallotChoice.NO);
        List<Person> concerns = ballots.entrySet().stream()
                .filter(castBallot -> castBallot.getValue().ballotChoice() == BallotChoice.CONCERN)
                .map(Map.Entry::getKey)
                .toList();
        OptionalInt quorumSize = switch (rule.quorum()) {
            case VoteRule.Quorum.Count count -> OptionalInt.of(count.number());
            case VoteRule.Quorum.Fraction fraction ->
                electorate.isPresent()
                        ? OptionalInt.of(
                                fraction.fraction().atLeast(electorate.get().size()))
                        : OptionalInt.empty();
        };
        boolean carried = quorumSize.isPresent()
                && ballots.size() >= quorumSize.getAsInt()
                && rule.majority().isExceededBy(yes, yes + no)
                && (concerns.isEmpty() || !rule.concernsBlock());
        int ballotsBeforeEdit = (int) ballots.values().stream()
                .filter(VoteRound.CastBallot::beforeEdit)
                .count();
        return new VoteTally(
                yes, no, count(ballots, BallotChoice.ABSTAIN), concerns, quorumSize, carried, ballotsBeforeEdit);
    }

    /** Returns the number of ballots cast. */
    public int votesCast() {
        return yes + no + abstain + concerns.size();
    }

    /** Returns the tally as text for people. */
    public String summary() {
        String concernText = concerns.isEmpty()
                ? ""
                : ", open concern of "
                        + String.join(
                                " and ", concerns.stream().map(Person::login).toList());
        String quorumText = votesNeeded.isPresent()
                ? votesCast() + " voted, " + votesNeeded.getAsInt() + " needed"
                : votesCast() + " voted; the number needed is unknown";
        String editText =
                castBeforeEdit == 0 ? "" : "; the text has changed since " + castBeforeEdit + " of these votes";
        return yes + " yes, " + no + " no, " + abstain + " abstaining" + concernText + "; " + quorumText + editText;
    }

    private static int count(Map<Person, VoteRound.CastBallot> ballots, BallotChoice ballotChoice) {
        return (int) ballots.values().stream()
                .filter(castBallot -> castBallot.ballotChoice() == ballotChoice)
                .count();
    }
}
