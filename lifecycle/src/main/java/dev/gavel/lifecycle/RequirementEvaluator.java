package dev.gavel.lifecycle;

import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.result.RequirementStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Checks whether a specification proposal, with the evidence offered, meets the requirements of a move to another
 * state.
 *
 * @param offeredEvidence the evidence that comes with the move
 */
record RequirementEvaluator(LifecycleContext context, List<Evidence> offeredEvidence) {
    /** The requirements that apply to this proposal, each with whether it is met. */
    List<RequirementStatus> check(List<MoveRequirement> moveRequirements) {
        return moveRequirements.stream()
                .map(this::check)
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * The instant at which a requirement is met by the passing of time alone; in the past if it is met already. Empty
     * if a person must act first.
     */
    Optional<Instant> metAt(MoveRequirement moveRequirement) {
        return switch (moveRequirement) {
            case MoveRequirement.RoleVacant vacant -> vacancyMetAt(vacant);
            case MoveRequirement.RoleIdle idle ->
                Optional.of(lastActivityOf(idle.role()).plus(idle.duration()));
            case MoveRequirement.DateReached reached -> context.evidenceDate(reached.kind());
            case MoveRequirement.AnyOf anyOf ->
                anyOf.choices().stream()
                        .map(this::metAt)
                        .flatMap(Optional::stream)
                        .min(Instant::compareTo);
            case MoveRequirement.ForAttribute forAttribute
            when applies(forAttribute) -> metAt(forAttribute.requirement());
            case MoveRequirement.WithDescription withDescription -> metAt(withDescription.requirement());
            default ->
                check(moveRequirement).map(RequirementStatus::met).orElse(true)
                        ? Optional.of(context.now())
                        : Optional.empty();
        };
    }

    private Optional<RequirementStatus> check(MoveRequirement moveRequirement) {
        return switch (moveRequirement) {
            case MoveRequirement.EvidenceGiven(String kind) ->
                Optional.of(checkEvidence(context.processDefinition().evidenceKind(kind)));
            case MoveRequirement.EvidenceInState(String kind, boolean withMove) ->
                Optional.of(checkEvidence(
                        context.processDefinition().evidenceKind(kind),
                        withMove
                                ? Optional.empty()
                                : context.snapshot().evidence().latestInState(kind)));
            case MoveRequirement.FactHolds factHolds -> Optional.of(checkFact(factHolds.name()));
            case MoveRequirement.DateReached reached ->
                Optional.of(checkDateReached(context.processDefinition().evidenceKind(reached.kind())));
            case MoveRequirement.RoleVacant vacant -> Optional.of(checkVacancy(vacant));
            case MoveRequirement.RoleIdle idle -> Optional.of(checkIdle(idle));
            case MoveRequirement.AnyOf anyOf -> checkAnyOf(check(anyOf.choices()), failedVoteText(anyOf));
            case MoveRequirement.WithDescription withDescription ->
                check(withDescription.requirement())
                        .map(status -> new RequirementStatus(
                                withDescription.description(), status.met(), status.detail(), status.evidenceKinds()));
            case MoveRequirement.ForAttribute forAttribute ->
                applies(forAttribute) ? check(forAttribute.requirement()) : Optional.empty();
        };
    }

    private RequirementStatus checkEvidence(EvidenceDefinition kind) {
        if (kind.format() == EvidenceDefinition.Format.TALLY) {
            Optional<VoteTally> tally = context.voteTally();
            return new RequirementStatus(
                    kind.description(),
                    tally.filter(VoteTally::carried).isPresent(),
                    tally.map(RequirementEvaluator::describeTally).orElse("there is no vote here"),
                    List.of());
        }
        return checkEvidence(kind, context.validEvidence(kind));
    }

    private RequirementStatus checkEvidence(
            EvidenceDefinition kind, Optional<LatestEvidenceByKind.Item> attachedEvidence) {
        Optional<String> value = offeredEvidence.stream()
                .filter(piece -> piece.kind().equals(kind.name()))
                .map(Evidence::value)
                .findFirst()
                .or(() -> attachedEvidence.map(LatestEvidenceByKind.Item::value));
        return new RequirementStatus(
                kind.description(),
                value.isPresent(),
                value.orElseGet(() -> kind.name() + ": " + acceptedFormat(kind.format())),
                List.of(kind.name()));
    }

    private RequirementStatus checkFact(String name) {
        String description =
                Objects.requireNonNullElse(context.processDefinition().facts().get(name), name);
        ExternalFacts.Fact fact = context.externalFacts().facts().get(name);
        if (fact == null) {
            return new RequirementStatus(description, false, "not known to be so", List.of());
        }
        String detail = fact.detail().isBlank() ? "not so yet" : fact.detail();
        return new RequirementStatus(description, fact.holds(), fact.holds() ? "it is so" : detail, List.of());
    }

    private RequirementStatus checkDateReached(EvidenceDefinition kind) {
        Optional<Instant> date = context.evidenceDate(kind.name());
        return new RequirementStatus(
                "the date has come: " + kind.description(),
                date.filter(this::isPast).isPresent(),
                date.map(LifecycleMessageFormatter::formatDate).orElse("no date was given"),
                List.of());
    }

    private RequirementStatus checkVacancy(MoveRequirement.RoleVacant requirement) {
        Optional<Instant> date = vacancyMetAt(requirement);
        return new RequirementStatus(
                "nobody has been " + context.processDefinition().title(requirement.role()) + " for "
                        + LifecycleMessageFormatter.formatDuration(requirement.duration()),
                date.filter(this::isPast).isPresent(),
                date.map(LifecycleMessageFormatter::formatDate)
                        .orElseGet(() -> new LifecycleMessageFormatter(context)
                                        .formatParties(context.holdersOrGroup(requirement.role()))
                                + " is"),
                List.of());
    }

    private RequirementStatus checkIdle(MoveRequirement.RoleIdle requirement) {
        Instant date = lastActivityOf(requirement.role()).plus(requirement.duration());
        return new RequirementStatus(
                "nothing from " + context.processDefinition().title(requirement.role()) + " for "
                        + LifecycleMessageFormatter.formatDuration(requirement.duration()),
                isPast(date),
                LifecycleMessageFormatter.formatDate(date),
                List.of());
    }

    private static String describeTally(VoteTally tally) {
        return failedVoteText(tally) ? "the vote has not carried (" + tally.summary() + ")" : tally.summary();
    }

    private static boolean failedVoteText(VoteTally tally) {
        return tally.votesCast() > 0 && !tally.carried();
    }

    /** The description of a vote that has ballots but has not carried, if that vote would meet the requirement. */
    private Optional<String> failedVoteText(MoveRequirement.AnyOf anyOf) {
        return anyOf.evidenceKinds()
                        .anyMatch(kind ->
                                context.processDefinition().evidenceKind(kind).format()
                                        == EvidenceDefinition.Format.TALLY)
                ? context.voteTally()
                        .filter(RequirementEvaluator::failedVoteText)
                        .map(RequirementEvaluator::describeTally)
                : Optional.empty();
    }

    /**
     * Adds the evidence that is accepted in place of a failed vote, so that an override of the vote is always explicit.
     */
    private static String withAlternatives(String failedVoteText, List<String> kinds) {
        return kinds.isEmpty()
                ? failedVoteText
                : failedVoteText + "; a decision taken otherwise is given as evidence "
                        + LifecycleMessageFormatter.formatAlternatives(
                                kinds.stream().map(kind -> kind + "=…").toList());
    }

    private static Optional<RequirementStatus> checkAnyOf(
            List<RequirementStatus> choices, Optional<String> failedVoteText) {
        if (choices.isEmpty()) {
            return Optional.empty();
        }
        List<RequirementStatus> met =
                choices.stream().filter(RequirementStatus::met).toList();
        List<RequirementStatus> relevantStatuses = met.isEmpty() ? choices : met;
        List<String> kinds = choices.stream()
                .flatMap(choice -> choice.evidenceKinds().stream())
                .toList();
        String accepts = String.join(
                ", or ",
                relevantStatuses.stream().map(RequirementStatus::detail).toList());
        return Optional.of(new RequirementStatus(
                String.join(
                        " or ",
                        choices.stream().map(RequirementStatus::description).toList()),
                !met.isEmpty(),
                met.isEmpty()
                        ? failedVoteText
                                .map(vote -> withAlternatives(vote, kinds))
                                .orElse(accepts)
                        : accepts,
                kinds));
    }

    private boolean applies(MoveRequirement.ForAttribute forAttribute) {
        return context.attribute(forAttribute.attribute())
                .filter(forAttribute.values()::contains)
                .isPresent();
    }

    private Optional<Instant> vacancyMetAt(MoveRequirement.RoleVacant requirement) {
        return context.isVacant(requirement.role())
                ? Optional.of(context.vacantSince(requirement.role()).plus(requirement.duration()))
                : Optional.empty();
    }

    /** The latest activity of a holder; for a vacant role, the instant at which the state was entered. */
    private Instant lastActivityOf(String role) {
        return context.snapshot().holders().holders(role).stream()
                .map(holder -> LifecycleContext.latest(
                        holder.since(),
                        context.snapshot().lastActivityByPerson().lastActivityOf(holder.person())))
                .max(Instant::compareTo)
                .orElse(context.snapshot().since());
    }

    private boolean isPast(Instant instant) {
        return !instant.isAfter(context.now());
    }

    /** Describes the accepted format of evidence to a person. */
    static String acceptedFormat(EvidenceDefinition.Format format) {
        return switch (format) {
            case LINK -> "a link that begins with http:// or https://";
            case TEXT -> "in words";
            case DATE -> "a date such as 2026-03-31";
            case TALLY -> "a vote that carries";
        };
    }
}
