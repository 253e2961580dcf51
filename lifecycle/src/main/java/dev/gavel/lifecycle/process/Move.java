package dev.gavel.lifecycle.process;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * One step from a state to another.
 *
 * @param from the states it starts in; none for the move that begins a proposal
 * @param who the roles that may make it
 * @param needs what must be so
 * @param advises what had better be so: its absence is mentioned and stops nothing
 * @param takes the role the mover takes by it
 * @param drops the roles nobody holds any more after it
 */
public record Move(
        SequencedSet<String> from,
        String to,
        List<String> who,
        List<Need> needs,
        List<Need> advises,
        Optional<String> takes,
        List<String> drops) {
    public Move {
        if (who.isEmpty()) {
            throw new IllegalArgumentException("nobody could make the move to " + to);
        }
        from = Collections.unmodifiableSequencedSet(new LinkedHashSet<>(from));
        who = List.copyOf(who);
        needs = List.copyOf(needs);
        advises = List.copyOf(advises);
        drops = List.copyOf(drops);
    }
}
