package dev.gavel.lifecycle.result;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Guidance for a reader of a specification proposal: status, who must act, the reader's next step, possible moves and
 * the next deadline.
 *
 * @param state the state's name
 * @param status the state, since when, in a sentence
 * @param since when it entered the state
 * @param mustAct who must act, and since when they have been holding it; empty where nobody must
 * @param waitingOn others whose answer those need; never the same as must act
 * @param nextStep one concrete action, written for the reader
 * @param moves the moves that can be made from here, and what each takes
 * @param nextDeadline what the process promises or asks next, by when
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
     * Somebody who must act.
     *
     * @param role the role they must act in
     */
    public record Assignment(PersonOrGroup party, String role, Instant since) {}

    /**
     * Something that is to happen.
     *
     * @param consequence what happens at that time if nobody did anything before
     */
    public record Deadline(Instant at, String consequence) {}

    public LifecycleGuidance {
        mustAct = List.copyOf(mustAct);
        waitingOn = List.copyOf(waitingOn);
        moves = List.copyOf(moves);
        for (Assignment assignment : mustAct) {
            if (waitingOn.contains(assignment.party())) {
                throw new IllegalArgumentException("nobody waits on whoever must act: " + assignment.party());
            }
        }
    }
}
