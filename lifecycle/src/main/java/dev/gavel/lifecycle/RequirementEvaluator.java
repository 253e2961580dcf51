package dev.gavel.lifecycle;

import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.result.RequirementStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Evaluates the requirements of a move against a specification proposal and the evidence that comes with the move.
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
            case MoveRequirement.Described described -> metAt(described.requirement());
            default ->
                check(moveRequirement).map(RequirementStatus::met).orElse(true)
                        ? Optional.of(context.now())
                        : Optional.empty();
        };
    }

    private Optional<RequirementStatus> check(MoveRequirement moveRequirement) {
        return switch (moveRequirement) {
            case MoveRequirement.EvidenceGiven(String kind) ->
                Optional.of(evidence(context.processDefinition().evidenceKind(kind)));
            case MoveRequirement.EvidenceInState(String kind, boolean withMove) ->
                Optional.of(evidence(
                        context.processDefinition().evidenceKind(kind),
                        withMove
                                ? Optional.empty()
                                : context.snapshot().evidence().latestInState(kind)));
            case MoveRequirement.FactHolds factHolds -> Optional.of(fact(factHolds.name()));
            case MoveRequirement.DateReached reached ->
                Optional.of(reached(context.processDefinition().evidenceKind(reached.kind())));
            case MoveRequirement.RoleVacant vacant -> Optional.of(vacant(vacant));
            case MoveRequirement.RoleIdle idle -> Optional.of(idle(idle));
            case MoveRequirement.AnyOf anyOf -> any(check(anyOf.choices()), failedVote(anyOf));
            case MoveRequirement.Described described ->
                check(described.requirement())
                        .map(same -> new RequirementStatus(
                                described.description(), same.met(), same.detail(), same.evidenceKinds()));
            case MoveRequirement.ForAttribute forAttribute ->
                applies(forAttribute) ? check(forAttribute.requirement()) : Optional.empty();
        };
    }

    private RequirementStatus evidence(EvidenceKind kind) {
        if (kind.format() == EvidenceKind.Format.TALLY) {
            Optional<VoteTally> tally = context.voteTally();
            return new RequirementStatus(
                    kind.description(),
                    tally.filter(VoteTally::carried).isPresent(),
                    tally.map(RequirementEvaluator::describeTally).orElse("there is no vote here"),
                    List.of());
        }
        return evidence(kind, context.validEvidence(kind));
    }

    private RequirementStatus evidence(EvidenceKind kind, Optional<LatestEvidenceByKind.Item> there) {
        Optional<String> value = offeredEvidence.stream()
                .filter(piece -> piece.kind().equals(kind.name()))
                .map(Evidence::value)
                .findFirst()
                .or(() -> there.map(LatestEvidenceByKind.Item::value));
        return new RequirementStatus(
                kind.description(),
                value.isPresent(),
                value.orElseGet(() -> kind.name() + ": " + acceptedFormat(kind.format())),
                List.of(kind.name()));
    }

    private RequirementStatus fact(String name) {
        String says =
                Objects.requireNonNullElse(context.processDefinition().facts().get(name), name);
        ExternalFacts.Fact fact = context.externalFacts().facts().get(name);
        if (fact == null) {
            return new RequirementStatus(says, false, "not known to be so", List.of());
        }
        String detail = fact.detail().isBlank() ? "not so yet" : fact.detail();
        return new RequirementStatus(says, fact.holds(), fact.holds() ? "it is so" : detail, List.of());
    }

    private RequirementStatus reached(EvidenceKind kind) {
        Optional<Instant> date = context.evidenceDate(kind.name());
        return new RequirementStatus(
                "the date has come: " + kind.description(),
                date.filter(this::isPast).isPresent(),
                date.map(LifecycleFormatter::formatDate).orElse("no date was given"),
                List.of());
    }

    private RequirementStatus vacant(MoveRequirement.RoleVacant need) {
        Optional<Instant> date = vacancyMetAt(need);
        return new RequirementStatus(
                "nobody has been " + context.processDefinition().title(need.role()) + " for "
                        + LifecycleFormatter.formatDuration(need.duration()),
                date.filter(this::isPast).isPresent(),
                date.map(LifecycleFormatter::formatDate)
                        .orElseGet(
                                () -> new LifecycleFormatter(context).formatParties(context.holdersOrGroup(need.role()))
                                        + " is"),
                List.of());
    }

    private RequirementStatus idle(MoveRequirement.RoleIdle need) {
        Instant date = lastActivityOf(need.role()).plus(need.duration());
        return new RequirementStatus(
                "nothing from " + context.processDefinition().title(need.role()) + " for "
                        + LifecycleFormatter.formatDuration(need.duration()),
                isPast(date),
                LifecycleFormatter.formatDate(date),
                List.of());
    }

    private static String describeTally(VoteTally tally) {
        return failedVote(tally) ? "the vote has not carried (" + tally.summary() + ")" : tally.summary();
    }

    private static boolean failedVote(VoteTally tally) {
        return tally.votesCast() > 0 && !tally.carried();
    }

    /** The description of a vote that has ballots but has not carried, if that vote would meet the requirement. */
    private Optional<String> failedVote(MoveRequirement.AnyOf anyOf) {
        return anyOf.evidenceKinds()
                        .anyMatch(kind ->
                                context.processDefinition().evidenceKind(kind).format() == EvidenceKind.Format.TALLY)
                ? context.voteTally().filter(RequirementEvaluator::failedVote).map(RequirementEvaluator::describeTally)
                : Optional.empty();
    }

    /**
     * Adds the evidence that is accepted in place of a failed vote, so that an override of the vote is always explicit.
     */
    private static String withAlternatives(String lost, List<String> kinds) {
        return kinds.isEmpty()
                ? lost
                : lost + "; a decision taken otherwise is given as evidence "
                        + LifecycleFormatter.formatAlternatives(
                                kinds.stream().map(kind -> kind + "=…").toList());
    }

    private static Optional<RequirementStatus> any(List<RequirementStatus> choices, Optional<String> lost) {
        if (choices.isEmpty()) {
            return Optional.empty();
        }
        List<RequirementStatus> met =
                choices.stream().filter(RequirementStatus::met).toList();
        List<RequirementStatus> told = met.isEmpty() ? choices : met;
        List<String> kinds = choices.stream()
                .flatMap(choice -> choice.evidenceKinds().stream())
                .toList();
        String accepts = String.join(
                ", or ", told.stream().map(RequirementStatus::detail).toList());
        return Optional.of(new RequirementStatus(
                String.join(
                        " or ",
                        choices.stream().map(RequirementStatus::description).toList()),
                !met.isEmpty(),
                met.isEmpty() ? lost.map(vote -> withAlternatives(vote, kinds)).orElse(accepts) : accepts,
                kinds));
    }

    private boolean applies(MoveRequirement.ForAttribute forAttribute) {
        return context.attribute(forAttribute.attribute())
                .filter(forAttribute.values()::contains)
                .isPresent();
    }

    private Optional<Instant> vacancyMetAt(MoveRequirement.RoleVacant need) {
        return context.isVacant(need.role())
                ? Optional.of(context.vacantSince(need.role()).plus(need.duration()))
                : Optional.empty();
    }

    /** The latest activity of a holder; for a vacant role, the instant at which the state was entered. */
    private Instant lastActivityOf(String role) {
        return context.snapshot().holders().of(role).stream()
                .map(holder -> LifecycleContext.latest(
                        holder.since(), context.snapshot().lastActivity().lastActivityOf(holder.person())))
                .max(Instant::compareTo)
                .orElse(context.snapshot().since());
    }

    private boolean isPast(Instant instant) {
        return !instant.isAfter(context.now());
    }

    /** Describes the accepted format of evidence to a person. */
    static String acceptedFormat(EvidenceKind.Format format) {
        return switch (format) {
            case LINK -> "a link that begins with http:// or https://";
            case TEXT -> "in words";
            case DATE -> "a date such as 2026-03-31";
            case TALLY -> "a vote that carries";
        };
    }
}
