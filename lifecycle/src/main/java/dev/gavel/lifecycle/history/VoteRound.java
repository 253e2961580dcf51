package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.actor.Person;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The ballots cast since a specification proposal entered its current state, and whether its decision is on hold. A
 * substantive edit of the text voids all ballots except recusals.
 *
 * @param ballots the latest valid ballot of each voter, in the order in which they first voted
 * @param voidedBallots the last edit that voided ballots, if there is one
 * @param hold the current hold of the decision, if there is one
 * @param releasedAt when the last hold ended
 */
public record VoteRound(
        Map<Person, CastBallot> ballots,
        Optional<VoidedBallots> voidedBallots,
        Optional<Hold> hold,
        Optional<Instant> releasedAt) {
    static final VoteRound NONE = new VoteRound(Map.of(), Optional.empty(), Optional.empty(), Optional.empty());

    /** A ballot with its reason. */
    public record CastBallot(BallotChoice ballotChoice, String reason) {}

    /**
     * The last edit that voided ballots, and the voters who have not voted again since their ballots were voided.
     *
     * @param by the editor
     */
    public record VoidedBallots(Instant at, Person by, List<Person> voters) {
        public VoidedBallots {
            voters = List.copyOf(voters);
        }
    }

    /** A hold of the decision, with its start and reason. */
    public record Hold(Instant since, String reason) {}

    public VoteRound {
        ballots = Collections.unmodifiableMap(new LinkedHashMap<>(ballots));
    }

    VoteRound apply(LifecycleEvent event) {
        return switch (event) {
            case LifecycleEvent.Moved _ -> NONE;
            case LifecycleEvent.Voted e -> withBallot(e);
            case LifecycleEvent.Edited e -> e.editorial() ? this : withVoidedBallots(e);
            case LifecycleEvent.DecisionHeld e ->
                new VoteRound(ballots, voidedBallots, Optional.of(new Hold(e.at(), e.reason())), releasedAt);
            case LifecycleEvent.DecisionReleased e ->
                new VoteRound(ballots, voidedBallots, Optional.empty(), Optional.of(e.at()));
            default -> this;
        };
    }

    private VoteRound withBallot(LifecycleEvent.Voted voted) {
        Person voter = voted.by().person();
        Map<Person, CastBallot> all = new LinkedHashMap<>(ballots);
        all.put(voter, new CastBallot(voted.ballotChoice(), voted.reason()));
        Optional<VoidedBallots> remaining = voidedBallots.map(earlier -> new VoidedBallots(
                earlier.at(),
                earlier.by(),
                earlier.voters().stream()
                        .filter(person -> !person.equals(voter))
                        .toList()));
        return new VoteRound(all, remaining, hold, releasedAt);
    }

    private VoteRound withVoidedBallots(LifecycleEvent.Edited edited) {
        Map<Person, CastBallot> recusals = new LinkedHashMap<>(ballots);
        recusals.values().removeIf(castBallot -> castBallot.ballotChoice() != BallotChoice.RECUSE);
        if (recusals.size() == ballots.size()) {
            return this;
        }
        Set<Person> voters = new LinkedHashSet<>();
        voidedBallots.ifPresent(earlier -> voters.addAll(earlier.voters()));
        ballots.keySet().stream()
                .filter(person -> !recusals.containsKey(person))
                .forEach(voters::add);
        return new VoteRound(
                recusals,
                Optional.of(new VoidedBallots(edited.at(), edited.by().person(), List.copyOf(voters))),
                hold,
                releasedAt);
    }
}
