package dev.gavel.lifecycle;

import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Voting;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.VoteRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a vote stands.
 *
 * @param concerns whose concerns are open
 * @param needed how many must vote; empty where it takes knowing how many could
 * @param carried whether it has carried
 * @param earlier how many of the votes were cast before the text was last changed
 */
public record Tally(
        int yes, int no, int abstain, List<Person> concerns, OptionalInt needed, boolean carried, int earlier) {
    public Tally {
        concerns = List.copyOf(concerns);
    }

    /** Counts the votes of those who may vote now, where it is known who they are. */
    static Tally of(VoteRule rule, Voting voting, Optional<List<Person>> electorate) {
        Map<Person, Voting.Cast> ballots = new LinkedHashMap<>(voting.ballots());
        electorate.ifPresent(ballots.keySet()::retainAll);
        int yes = count(ballots, Ballot.YES);
        int no = count(ballots, Ballot.NO);
        List<Person> concerns = ballots.entrySet().stream()
                .filter(cast -> cast.getValue().ballot() == Ballot.CONCERN)
                .map(Map.Entry::getKey)
                .toList();
        OptionalInt needed = switch (rule.quorum()) {
            case VoteRule.Quorum.Count count -> OptionalInt.of(count.number());
            case VoteRule.Quorum.Part part ->
                electorate.isPresent()
                        ? OptionalInt.of(part.share().atLeast(electorate.get().size()))
                        : OptionalInt.empty();
        };
        boolean carried = needed.isPresent()
                && ballots.size() >= needed.getAsInt()
                && rule.majority().exceededBy(yes, yes + no)
                && (concerns.isEmpty() || !rule.concernsBlock());
        int earlier =
                (int) ballots.values().stream().filter(Voting.Cast::earlier).count();
        return new Tally(yes, no, count(ballots, Ballot.ABSTAIN), concerns, needed, carried, earlier);
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
        String changed = earlier == 0 ? "" : "; the text has changed since " + earlier + " of them voted";
        return yes + " yes, " + no + " no, " + abstain + " abstaining" + open + "; " + enough + changed;
    }

    private static int count(Map<Person, Voting.Cast> ballots, Ballot ballot) {
        return (int) ballots.values().stream()
                .filter(cast -> cast.ballot() == ballot)
                .count();
    }
}
