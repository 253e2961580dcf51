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
import java.util.function.Predicate;

/**
 * The result of counting the ballots of a vote: the number of each choice, and whether the vote has carried or is lost.
 *
 * @param concerns the voters with an open concern
 * @param recused the voters who take no part in the vote; they do not count for the quorum
 * @param excluded the people with the voter role who may not vote on this proposal; they do not count for the quorum
 * @param eligibleVoters the number of people who may vote; empty if it is unknown
 * @param votesNeeded the quorum; empty if it depends on the number of eligible voters and that number is unknown
 * @param carried whether the vote has carried
 * @param lost whether the quorum is reached, at least one voter voted no, and the yes ballots are not a majority
 */
public record VoteTally(
        int yes,
        int no,
        int abstain,
        List<Person> concerns,
        List<Person> recused,
        List<Person> excluded,
        OptionalInt eligibleVoters,
        OptionalInt votesNeeded,
        boolean carried,
        boolean lost) {
    public VoteTally {
        concerns = List.copyOf(concerns);
        recused = List.copyOf(recused);
        excluded = List.copyOf(excluded);
    }

    /**
     * Counts the ballots of the current voters; if the electorate is unknown, counts all ballots.
     *
     * @param members the people with the voter role, if they are known
     * @param isExcluded whether a person may not vote on this proposal
     */
    static VoteTally of(
            VoteRule rule, VoteRound voteRound, Optional<List<Person>> members, Predicate<Person> isExcluded) {
        Map<Person, VoteRound.CastBallot> ballots = new LinkedHashMap<>(voteRound.ballots());
        members.ifPresent(ballots.keySet()::retainAll);
        ballots.keySet().removeIf(isExcluded);
        List<Person> recused = voters(ballots, BallotChoice.RECUSE);
        recused.forEach(ballots::remove);
        List<Person> excluded =
                members.orElse(List.of()).stream().filter(isExcluded).toList();
        OptionalInt eligibleVoters = members.isPresent()
                ? OptionalInt.of(members.get().size() - excluded.size() - recused.size())
                : OptionalInt.empty();
        int yes = voters(ballots, BallotChoice.YES).size();
        int no = voters(ballots, BallotChoice.NO).size();
        List<Person> concerns = voters(ballots, BallotChoice.CONCERN);
        OptionalInt votesNeeded = switch (rule.quorum()) {
            case VoteRule.Quorum.Count count -> OptionalInt.of(count.number());
            case VoteRule.Quorum.Fraction fraction ->
                eligibleVoters.isPresent()
                        ? OptionalInt.of(fraction.fraction().atLeast(eligibleVoters.getAsInt()))
                        : OptionalInt.empty();
        };
        boolean quorumReached = votesNeeded.isPresent() && ballots.size() >= votesNeeded.getAsInt();
        boolean majority = rule.majority().isExceededBy(yes, yes + no);
        return new VoteTally(
                yes,
                no,
                voters(ballots, BallotChoice.ABSTAIN).size(),
                concerns,
                recused,
                excluded,
                eligibleVoters,
                votesNeeded,
                quorumReached && majority && (concerns.isEmpty() || !rule.concernsBlock()),
                quorumReached && !majority && no > 0);
    }

    /** Returns the number of ballots cast, without recusals. */
    public int votesCast() {
        return yes + no + abstain + concerns.size();
    }

    /** Returns the tally as text for people. */
    public String summary() {
        String concernText = concerns.isEmpty() ? "" : ", open concern of " + names(concerns);
        return yes + " yes, " + no + " no, " + abstain + " abstaining" + concernText + "; " + quorumText()
                + (recused.isEmpty() ? "" : "; recused: " + names(recused))
                + (excluded.isEmpty() ? "" : "; excluded: " + names(excluded));
    }

    private String quorumText() {
        if (eligibleVoters.isPresent() && eligibleVoters.getAsInt() == 0) {
            return "no eligible voter is left";
        }
        return votesNeeded.isPresent()
                ? votesCast() + " voted, " + votesNeeded.getAsInt() + " needed"
                : votesCast() + " voted; the number needed is unknown";
    }

    private static String names(List<Person> people) {
        return String.join(" and ", people.stream().map(Person::login).toList());
    }

    private static List<Person> voters(Map<Person, VoteRound.CastBallot> ballots, BallotChoice ballotChoice) {
        return ballots.entrySet().stream()
                .filter(castBallot -> castBallot.getValue().ballotChoice() == ballotChoice)
                .map(Map.Entry::getKey)
                .toList();
    }
}
