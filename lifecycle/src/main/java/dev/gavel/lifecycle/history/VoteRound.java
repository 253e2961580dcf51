package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.actor.Person;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The ballots cast since a specification proposal entered its current state, and whether its decision is on hold.
 *
 * @param ballots the latest ballot of each voter, in the order in which they first voted
 * @param hold the current hold of the decision, if there is one
 * @param releasedAt when the last hold ended
 */
public record VoteRound(Map<Person, CastBallot> ballots, Optional<Hold> hold, Optional<Instant> releasedAt) {
    static final VoteRound NONE = new VoteRound(Map.of(), Optional.empty(), Optional.empty());

    /**
     * A ballot with its reason.
     *
     * @param beforeEdit whether the text changed after the ballot was cast
     */
    public record CastBallot(BallotChoice ballotChoice, String reason, boolean beforeEdit) {}

    /** A hold of the decision, with its start and reason. */
    public record Hold(Instant since, String reason) {}

    public VoteRound {
        ballots = Collections.unmodifiableMap(new LinkedHashMap<>(ballots));
    }

    VoteRound apply(LifecycleEvent event) {
        return switch (event) {
            case LifecycleEvent.Moved _ -> NONE;
            case LifecycleEvent.Voted e -> {
                Map<Person, CastBallot> all = new LinkedHashMap<>(ballots);
                all.put(e.by().person(), new CastBallot(e.ballotChoice(), e.reason(), false));
                yield new VoteRound(all, hold, releasedAt);
            }
            case LifecycleEvent.Edited _ -> {
                Map<Person, CastBallot> all = new LinkedHashMap<>(ballots);
                all.replaceAll(
                        (person, castBallot) -> new CastBallot(castBallot.ballotChoice(), castBallot.reason(), true));
                yield new VoteRound(all, hold, releasedAt);
            }
            case LifecycleEvent.DecisionHeld e ->
                new VoteRound(ballots, Optional.of(new Hold(e.at(), e.reason())), releasedAt);
            case LifecycleEvent.DecisionReleased e -> new VoteRound(ballots, Optional.empty(), Optional.of(e.at()));
            default -> this;
        };
    }
}
