package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.people.Person;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The vote of the state a proposal is in; leaving the state ends the round.
 *
 * @param ballots everybody's latest, in the order they first voted
 * @param hold while the decision is on hold, since when and why
 * @param released when it was last taken up again
 */
public record Voting(Map<Person, Cast> ballots, Optional<Hold> hold, Optional<Instant> released) {
    static final Voting NONE = new Voting(Map.of(), Optional.empty(), Optional.empty());

    /**
     * A ballot with its reason.
     *
     * @param earlier whether the text was changed after it was cast
     */
    public record Cast(Ballot ballot, String reason, boolean earlier) {}

    /** A decision on hold. */
    public record Hold(Instant since, String reason) {}

    public Voting {
        ballots = Collections.unmodifiableMap(new LinkedHashMap<>(ballots));
    }

    Voting after(Event event) {
        return switch (event) {
            case Event.Moved _ -> NONE;
            case Event.Voted e -> {
                Map<Person, Cast> all = new LinkedHashMap<>(ballots);
                all.put(e.by().person(), new Cast(e.ballot(), e.reason(), false));
                yield new Voting(all, hold, released);
            }
            case Event.Edited _ -> {
                Map<Person, Cast> all = new LinkedHashMap<>(ballots);
                all.replaceAll((person, cast) -> new Cast(cast.ballot(), cast.reason(), true));
                yield new Voting(all, hold, released);
            }
            case Event.Held e -> new Voting(ballots, Optional.of(new Hold(e.at(), e.reason())), released);
            case Event.Released e -> new Voting(ballots, Optional.empty(), Optional.of(e.at()));
            default -> this;
        };
    }
}
