package dev.gavel.lifecycle.answer;

import dev.gavel.lifecycle.people.Party;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a reader wants to know of a proposal at any moment.
 *
 * @param state the state's name
 * @param status the state, since when, in a sentence
 * @param since when it entered the state
 * @param mustAct who must act, and since when they have been holding it; empty where nobody must
 * @param waitingOn others whose answer those need; never the same as must act
 * @param nextStep one concrete action, written for the reader
 * @param toAdvance the moves that can be made from here, and what each takes
 * @param expected what the process promises or asks next, by when
 */
public record Guidance(
        String state,
        String status,
        Instant since,
        List<Holding> mustAct,
        List<Party> waitingOn,
        String nextStep,
        List<Prospect> toAdvance,
        Optional<Expectation> expected) {
    /**
     * Somebody who must act.
     *
     * @param as the role they must act in
     */
    public record Holding(Party who, String as, Instant since) {}

    /**
     * Something that is to happen.
     *
     * @param then what happens at that time if nobody did anything before
     */
    public record Expectation(Instant by, String then) {}

    public Guidance {
        mustAct = List.copyOf(mustAct);
        waitingOn = List.copyOf(waitingOn);
        toAdvance = List.copyOf(toAdvance);
        for (Holding holding : mustAct) {
            if (waitingOn.contains(holding.who())) {
                throw new IllegalArgumentException("nobody waits on whoever must act: " + holding.who());
            }
        }
    }
}
