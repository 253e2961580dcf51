package dev.gavel.lifecycle;

import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.VoteRule;
import java.util.List;
import java.util.Optional;

/**
 * Finds why evidence that was given does not count for a move: it waits for a confirmation, decides for another state,
 * is older than the text, or would overrule the vote.
 */
record EvidenceObjectionFinder(LifecycleContext context, MoveDefinition moveDefinition) {
    /** Returns the objection as a clause without a full stop; empty if the evidence counts. */
    Optional<String> find(EvidenceDefinition kind, LatestEvidenceByKind.Item item) {
        boolean decision = kind.format() == EvidenceDefinition.Format.DECISION;
        return Optional.<String>empty()
                .or(() -> decision ? otherState(kind, item) : Optional.empty())
                .or(() -> context.isOutdated(kind, item)
                        ? Optional.of("the text has changed since '" + kind.name() + "' was given (" + item.value()
                                + "); it must be given again")
                        : Optional.empty())
                .or(() -> unconfirmed(kind, item))
                .or(() -> decision ? conflictWithVote(kind, item) : Optional.empty());
    }

    private Optional<String> otherState(EvidenceDefinition kind, LatestEvidenceByKind.Item item) {
        return DecisionEvidence.parse(item.value(), context.processDefinition())
                        .filter(value -> value.state().equals(moveDefinition.to()))
                        .isPresent()
                ? Optional.empty()
                : Optional.of("'" + kind.name() + "' does not decide for `" + moveDefinition.to() + "` (" + item.value()
                        + ")");
    }

    private Optional<String> unconfirmed(EvidenceDefinition kind, LatestEvidenceByKind.Item item) {
        if (kind.confirmingRole().isEmpty() || item.confirmedBy().isPresent()) {
            return Optional.empty();
        }
        String title = context.processDefinition().title(kind.confirmingRole().get());
        String giver = context.externalFacts().nameOf(item.givenBy().person());
        boolean attached = context.validEvidence(kind).filter(item::equals).isPresent();
        return Optional.of(
                attached
                        ? "'" + kind.name() + "' by " + giver + " (" + item.value() + ") waits until " + title
                                + " other than " + giver + " confirms it"
                        : "'" + kind.name() + "' counts only when " + title + " other than " + giver
                                + " has confirmed it; attach it first, without the move");
    }

    /** Why a decision would overrule the vote, unless its giver has a role that may do so. */
    private Optional<String> conflictWithVote(EvidenceDefinition kind, LatestEvidenceByKind.Item item) {
        VoteRule rule =
                context.processDefinition().votes().get(context.snapshot().state());
        Optional<VoteTally> found = context.voteTally();
        if (rule == null || found.isEmpty() || mayOverrule(rule, item)) {
            return Optional.empty();
        }
        VoteTally tally = found.get();
        boolean carriedVoteLeadsThere = moveDefinition.requirements().stream()
                .flatMap(MoveRequirement::evidenceKinds)
                .anyMatch(other ->
                        context.processDefinition().evidenceKind(other).format() == EvidenceDefinition.Format.TALLY);
        String exception = rule.overruleRoles().isEmpty()
                ? ""
                : "; only a '" + kind.name() + "' given by "
                        + new LifecycleMessageFormatter(context).formatRoles(rule.overruleRoles()) + " can";
        if (carriedVoteLeadsThere && rule.concernsBlock() && !tally.concerns().isEmpty()) {
            return Optional.of("'" + kind.name() + "' cannot overrule the open concern of "
                    + new LifecycleMessageFormatter(context).formatParties(tally.concerns()) + exception);
        }
        return (carriedVoteLeadsThere ? tally.lost() : tally.carried())
                ? Optional.of("'" + kind.name() + "' cannot overrule the vote (" + tally.summary() + ")" + exception)
                : Optional.empty();
    }

    private boolean mayOverrule(VoteRule rule, LatestEvidenceByKind.Item item) {
        List<String> roles =
                context.processDefinition().expandActorRoles(item.givenBy().roles());
        return rule.overruleRoles().stream().anyMatch(roles::contains);
    }
}
