package dev.gavel.lifecycle;

import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Voting;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.VoteRule;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How a vote stands.
 *
 * @param concerns whose concerns are open
 * @param needed how many must vote; empty where it takes knowing how many could
 * @param carried whether it has carried
 */
public record Tally(int yes, int no, int abstain, List<Person> concerns, OptionalInt needed, boolean carried) {
    public Tally {
        concerns = List.copyOf(concerns);
    }

    static Tally of(VoteRule rule, Voting voting, OptionalInt electorate) {
        int yes = count(voting, Ballot.YES);
        int no = count(voting, Ballot.NO);
        List<Person> concerns = voting.ballots().entrySet().stream()
                .filter(cast -> cast.getValue().ballot() == Ballot.CONCERN)
                .map(Map.Entry::getKey)
                .toList();
        OptionalInt needed = switch (rule.quorum()) {
            case VoteRule.Quorum.Count count -> OptionalInt.of(count.number());
            case VoteRule.Quorum.Part part ->
                electorate.isPresent()
                        ? OptionalInt.of(part.share().atLeast(electorate.getAsInt()))
                        : OptionalInt.empty();
        };
        boolean carried = needed.isPresent()
                && voting.ballots().size() >= needed.getAsInt()
                && rule.majority().exceededBy(yes, yes + no)
                && (concerns.isEmpty() || !rule.concernsBlock());
        return new Tally(yes, no, count(voting, Ballot.ABSTAIN), concerns, needed, carried);
    }

    /** How many have voted. */
    public int voted() {
        return yes + no + abstain + concerns.size();
    }

    /** The tally in words. */
    public String words() {
        String open = concerns.isEmpty()
                ? ""
                : ", open concern of "
                        + String.join(
                                " and ", concerns.stream().map(Person::login).toList());
        String enough = needed.isPresent()
                ? voted() + " voted, " + needed.getAsInt() + " needed"
                : voted() + " voted; how many are needed is not known";
        return yes + " yes, " + no + " no, " + abstain + " abstaining" + open + "; " + enough;
    }

    private static int count(Voting voting, Ballot ballot) {
        return (int) voting.ballots().values().stream()
                .filter(cast -> cast.ballot() == ballot)
                .count();
    }
}
