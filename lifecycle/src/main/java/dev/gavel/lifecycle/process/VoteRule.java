package dev.gavel.lifecycle.process;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Defines the vote held in a state: who votes, quorum, majority, and who may put the decision on hold.
 *
 * @param voterRole the role that votes
 * @param quorum how many voters must have voted
 * @param majority the fraction of yes and no ballots that the yes ballots must exceed
 * @param concernsBlock whether an open concern prevents the vote from carrying
 * @param decidedStates the target states that the vote decides; moves to them are blocked while the decision is on hold
 * @param holdRoles the roles that may put the decision on hold and release it
 * @param overruleRoles the roles whose decision may overrule an open concern and the result of the vote
 * @param vetoRoles the roles that may make a move to a decided end state alone
 * @param excludedRoles the roles whose holders in the proposal may not vote; if empty, the default of the process
 *     applies
 * @param votedGuidance the next step of a voter who has voted on the current text, if it differs
 * @param carriedGuidance the next step of all voters once the vote carries, if it differs
 */
public record VoteRule(
        String voterRole,
        Quorum quorum,
        VoteFraction majority,
        boolean concernsBlock,
        Set<String> decidedStates,
        List<String> holdRoles,
        List<String> overruleRoles,
        List<String> vetoRoles,
        Optional<List<String>> excludedRoles,
        Optional<TextTemplate> votedGuidance,
        Optional<TextTemplate> carriedGuidance) {
    /** How many voters must have voted. */
    public sealed interface Quorum {
        /** A fixed number of voters. */
        record Count(int number) implements Quorum {
            public Count {
                if (number < 1) {
                    throw new IllegalArgumentException("a quorum is at least one");
                }
            }
        }

        /** A fraction of all eligible voters, whose number must be known. */
        record Fraction(VoteFraction fraction) implements Quorum {}
    }

    public VoteRule {
        decidedStates = Set.copyOf(decidedStates);
        holdRoles = List.copyOf(holdRoles);
        overruleRoles = List.copyOf(overruleRoles);
        vetoRoles = List.copyOf(vetoRoles);
        excludedRoles = excludedRoles.map(List::copyOf);
    }
}
