package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
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
 * @param actor the actor who would make the move
 * @param offeredEvidence the evidence that comes with the move
 */
record RequirementEvaluator(
        LifecycleContext context, MoveDefinition moveDefinition, Actor actor, List<Evidence> offeredEvidence) {
    private static final String NO_VOTE = "this state has no vote";

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
                check(withDescription.requirement()).map(status -> describedAs(withDescription.description(), status));
            case MoveRequirement.ForAttribute forAttribute ->
                applies(forAttribute) ? check(forAttribute.requirement()) : Optional.empty();
        };
    }

    private RequirementStatus checkEvidence(EvidenceDefinition kind) {
        if ((kind.format() == EvidenceDefinition.Format.DECISION
                        || kind.format() == EvidenceDefinition.Format.LOST_TALLY)
                && context.mayVeto(actor, moveDefinition.to())) {
            return new RequirementStatus(kind.description(), true, "your veto", List.of(), "");
        }
        Optional<VoteTally> tally = context.voteTally();
        return switch (kind.format()) {
            case TALLY -> {
                boolean carried = tally.filter(VoteTally::carried).isPresent();
                yield new RequirementStatus(
                        kind.description(),
                        carried,
                        tally.map(RequirementEvaluator::describeTally).orElse(NO_VOTE),
                        List.of(),
                        carried
                                ? ""
                                : tally.map(RequirementEvaluator::notCarried).orElse(NO_VOTE));
            }
            case LOST_TALLY -> {
                boolean lost = tally.filter(VoteTally::lost).isPresent();
                String detail = tally.map(found -> lost ? found.summary() : notLost(found))
                        .orElse(NO_VOTE);
                yield new RequirementStatus(kind.description(), lost, detail, List.of(), lost ? "" : detail);
            }
            case LINK, TEXT, DATE, DECISION -> checkEvidence(kind, context.validEvidence(kind));
        };
    }

    private RequirementStatus checkEvidence(
            EvidenceDefinition kind, Optional<LatestEvidenceByKind.Item> attachedEvidence) {
        Optional<LatestEvidenceByKind.Item> item = offeredEvidence.stream()
                .filter(piece -> piece.kind().equals(kind.name()))
                .map(piece ->
                        new LatestEvidenceByKind.Item(piece.value(), context.now(), actor, Optional.empty(), false))
                .findFirst()
                .or(() -> attachedEvidence);
        Optional<String> objection =
                item.flatMap(found -> new EvidenceObjectionFinder(context, moveDefinition).find(kind, found));
        if (objection.isPresent()) {
            return new RequirementStatus(
                    kind.description(), false, objection.get(), List.of(kind.name()), objection.get());
        }
        Optional<String> value = item.map(LatestEvidenceByKind.Item::value);
        String detail = value.orElseGet(() -> kind.name() + ": " + acceptedEvidence(kind));
        return new RequirementStatus(
                kind.description(),
                value.isPresent(),
                detail,
                List.of(kind.name()),
                value.isPresent() ? "" : missing(kind.description(), detail));
    }

    private static String missing(String description, String detail) {
        return description + " is missing (" + detail + ")";
    }

    /** Returns a status under another description, which also replaces the former one in the problem. */
    private static RequirementStatus describedAs(String description, RequirementStatus status) {
        boolean missing = status.problem().equals(missing(status.description(), status.detail()));
        return new RequirementStatus(
                description,
                status.met(),
                status.detail(),
                status.evidenceKinds(),
                missing ? missing(description, status.detail()) : status.problem());
    }

    private RequirementStatus checkFact(String name) {
        String description =
                Objects.requireNonNullElse(context.processDefinition().facts().get(name), name);
        String notMet = "this requirement is not met: " + description;
        ExternalFacts.Fact fact = context.externalFacts().facts().get(name);
        if (fact == null) {
            return new RequirementStatus(description, false, "unknown", List.of(), notMet);
        }
        if (fact.holds()) {
            return new RequirementStatus(description, true, "met", List.of(), "");
        }
        return fact.detail().isBlank()
                ? new RequirementStatus(description, false, "not met yet", List.of(), notMet)
                : new RequirementStatus(description, false, fact.detail(), List.of(), fact.detail());
    }

    private RequirementStatus checkDateReached(EvidenceDefinition kind) {
        Optional<Instant> date = context.evidenceDate(kind.name());
        boolean reached = date.filter(this::isPast).isPresent();
        Optional<String> day = date.map(LifecycleMessageFormatter::formatDate);
        return new RequirementStatus(
                "a date that has passed (" + kind.description() + ")",
                reached,
                day.orElse("no date is set"),
                List.of(),
                reached
                        ? ""
                        : day.map(found -> kind.description() + " is " + found)
                                .orElse("no date is set (" + kind.description() + ")"));
    }

    private RequirementStatus checkVacancy(MoveRequirement.RoleVacant requirement) {
        Optional<Instant> date = vacancyMetAt(requirement);
        boolean met = date.filter(this::isPast).isPresent();
        String duration = LifecycleMessageFormatter.formatDuration(requirement.duration());
        Optional<String> day = date.map(LifecycleMessageFormatter::formatDate);
        String heldBy = "held by "
                + new LifecycleMessageFormatter(context).formatParties(context.holdersOrGroup(requirement.role()));
        return new RequirementStatus(
                duration + " with no " + requirement.role(),
                met,
                day.orElse(heldBy),
                List.of(),
                met
                        ? ""
                        : "the role '" + requirement.role() + "' must be vacant for " + duration + " ("
                                + day.map(until -> "until " + until).orElse(heldBy) + ")");
    }

    private RequirementStatus checkIdle(MoveRequirement.RoleIdle requirement) {
        Instant date = lastActivityOf(requirement.role()).plus(requirement.duration());
        String duration = LifecycleMessageFormatter.formatDuration(requirement.duration());
        String title = context.processDefinition().title(requirement.role());
        String day = LifecycleMessageFormatter.formatDate(date);
        return new RequirementStatus(
                duration + " without activity by " + title,
                isPast(date),
                day,
                List.of(),
                isPast(date) ? "" : title + " must be inactive for " + duration + " (until " + day + ")");
    }

    private static String describeTally(VoteTally tally) {
        return hasFailed(tally) ? notCarried(tally) : tally.summary();
    }

    private static String notCarried(VoteTally tally) {
        return "the vote has not carried (" + tally.summary() + ")";
    }

    private static String notLost(VoteTally tally) {
        return "the vote is not lost (" + tally.summary() + ")";
    }

    private static boolean hasFailed(VoteTally tally) {
        return tally.votesCast() > 0 && !tally.carried();
    }

    /** The description of a vote that has ballots but has not carried, if that vote would meet the requirement. */
    private Optional<String> failedVoteText(MoveRequirement.AnyOf anyOf) {
        return anyOf.evidenceKinds()
                        .anyMatch(kind ->
                                context.processDefinition().evidenceKind(kind).format()
                                        == EvidenceDefinition.Format.TALLY)
                ? context.voteTally().filter(RequirementEvaluator::hasFailed).map(RequirementEvaluator::describeTally)
                : Optional.empty();
    }

    /**
     * Adds the evidence that is accepted in place of a failed vote, or why evidence that was given does not count, so
     * that an override of the vote is always explicit.
     */
    private String withAlternatives(String failedVoteText, List<RequirementStatus> choices) {
        List<RequirementStatus> alternatives = choices.stream()
                .filter(choice -> !choice.evidenceKinds().isEmpty())
                .toList();
        List<String> objections = alternatives.stream()
                .filter(choice -> !choice.problem().equals(missing(choice.description(), choice.detail())))
                .map(RequirementStatus::problem)
                .toList();
        if (!objections.isEmpty()) {
            return failedVoteText + "; " + String.join("; ", objections);
        }
        return alternatives.isEmpty()
                ? failedVoteText
                : failedVoteText + "; to record a decision made in another way, give the evidence "
                        + LifecycleMessageFormatter.formatAlternatives(alternatives.stream()
                                .flatMap(choice -> choice.evidenceKinds().stream())
                                .map(this::example)
                                .toList());
    }

    private String example(String kind) {
        return context.processDefinition().evidenceKind(kind).format() == EvidenceDefinition.Format.DECISION
                ? kind + "='" + moveDefinition.to() + ": …'"
                : kind + "=…";
    }

    private Optional<RequirementStatus> checkAnyOf(List<RequirementStatus> choices, Optional<String> failedVoteText) {
        if (choices.isEmpty()) {
            return Optional.empty();
        }
        List<RequirementStatus> met =
                choices.stream().filter(RequirementStatus::met).toList();
        List<RequirementStatus> relevantStatuses = met.isEmpty() ? choices : met;
        List<String> kinds = choices.stream()
                .flatMap(choice -> choice.evidenceKinds().stream())
                .toList();
        String description = String.join(
                " or ", choices.stream().map(RequirementStatus::description).toList());
        String accepts = String.join(
                ", or ",
                relevantStatuses.stream().map(RequirementStatus::detail).toList());
        if (!met.isEmpty()) {
            return Optional.of(new RequirementStatus(description, true, accepts, kinds, ""));
        }
        return Optional.of(failedVoteText
                .map(vote -> withAlternatives(vote, choices))
                .map(detail -> new RequirementStatus(description, false, detail, kinds, detail))
                .orElseGet(() ->
                        new RequirementStatus(description, false, accepts, kinds, missing(description, accepts))));
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
        return context.activeHolders(role).stream()
                .map(holder -> LifecycleContext.latest(
                        holder.since(),
                        context.snapshot().lastActivityByPerson().lastActivityOf(holder.person())))
                .max(Instant::compareTo)
                .orElse(context.snapshot().since());
    }

    private boolean isPast(Instant instant) {
        return !instant.isAfter(context.now());
    }

    /** Describes the accepted evidence of a kind, and who must confirm it. */
    private String acceptedEvidence(EvidenceDefinition kind) {
        String accepted = kind.format() == EvidenceDefinition.Format.DECISION
                ? "text such as '" + moveDefinition.to() + ": agreed at the meeting'"
                : acceptedFormat(kind.format());
        return kind.confirmingRole()
                .map(role -> accepted + ", confirmed by another person: "
                        + context.processDefinition().title(role))
                .orElse(accepted);
    }

    /** Describes the accepted format of evidence to a person. */
    static String acceptedFormat(EvidenceDefinition.Format format) {
        return switch (format) {
            case LINK -> "a link that begins with http:// or https://";
            case TEXT -> "text";
            case DATE -> "a date such as 2026-03-31";
            case DECISION -> "the state for which it decides, a colon and text";
            case TALLY -> "a carried vote";
            case LOST_TALLY -> "a lost vote";
        };
    }
}
