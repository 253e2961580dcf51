package dev.gavel.lifecycle.result;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Tells a reader of a specification proposal its status, who must act, the reader's next step, possible moves and the
 * next deadline.
 *
 * @param state the name of the current state
 * @param status the state, its start and its status text in one sentence
 * @param since when the proposal entered the state
 * @param mustAct who must act, and since when; may be empty
 * @param waitingOn others whose answer is needed; disjoint from {@code mustAct}
 * @param nextStep one concrete action for the reader
 * @param moves the moves from the current state, and what each requires
 * @param nextDeadline the next deadline and its consequence
 */
public record LifecycleGuidance(
        String state,
        String status,
        Instant since,
        List<Assignment> mustAct,
        List<PersonOrGroup> waitingOn,
        String nextStep,
        List<MoveEligibility> moves,
        Optional<Deadline> nextDeadline) {
    /**
     * A person or group that must act.
     *
     * @param role the role in which they must act
     */
    public record Assignment(PersonOrGroup party, String role, Instant since) {}

    /**
     * An instant at which a clock acts.
     *
     * @param consequence what happens then if those who must act have not acted
     */
    public record Deadline(Instant at, String consequence) {}

    public LifecycleGuidance {
        mustAct = List.copyOf(mustAct);
        waitingOn = List.copyOf(waitingOn);
        moves = List.copyOf(moves);
        for (Assignment assignment : mustAct) {
            if (waitingOn.contains(assignment.party())) {
                throw new IllegalArgumentException("a party that must act cannot be awaited: " + assignment.party());
            }
        }
    }
}
