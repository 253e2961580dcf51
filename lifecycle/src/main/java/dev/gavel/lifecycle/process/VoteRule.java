package dev.gavel.lifecycle.process;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Defines the vote held in a state: who votes, quorum, majority, and who may put the decision on hold.
 *
 * @param voterRole the role that votes
 * @param quorum how many of them must have voted
 * @param majority yes must be more than this share of yes and no
 * @param concernsBlock whether an open concern stops it from carrying
 * @param decidedStates the states the vote is about: no move to them is made while the decision is on hold
 * @param holdRoles the roles that may put the decision on hold and take it up again
 * @param votedGuidance the next step of one of them who has voted on the text as it is, where it is another
 * @param carriedGuidance the next step of all of them once it carries, where it is another
 */
public record VoteRule(
        String voterRole,
        Quorum quorum,
        VoteFraction majority,
        boolean concernsBlock,
        Set<String> decidedStates,
        List<String> holdRoles,
        Optional<TextTemplate> votedGuidance,
        Optional<TextTemplate> carriedGuidance) {
    /** How many votes are enough votes. */
    public sealed interface Quorum {
        /** A number of them. */
        record Count(int number) implements Quorum {
            public Count {
                if (number < 1) {
                    throw new IllegalArgumentException("a quorum is at least one");
                }
            }
        }

        /** A share of all who may vote, which takes knowing how many those are. */
        record Fraction(VoteFraction fraction) implements Quorum {}
    }

    public VoteRule {
        decidedStates = Set.copyOf(decidedStates);
        holdRoles = List.copyOf(holdRoles);
    }
}
