package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.RequirementStatus;
import dev.gavel.yaml.WordSuggester;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether evidence that an actor offers for a specification proposal, alone or with a move to another state, is
 * acceptable.
 */
record OfferedEvidenceValidator(LifecycleContext context, Actor by) {
    private static final int MAX_YEARS_AHEAD = 10;

    LifecycleCommandResult<LifecycleEvent> attach(List<Evidence> offeredEvidence) {
        if (offeredEvidence.isEmpty()) {
            return RefusalCode.BAD_EVIDENCE.refuse("Name the evidence to attach.");
        }
        List<Evidence> evidence = canonical(offeredEvidence);
        return findRefusal(evidence, false)
                .map(LifecycleCommandResult::<LifecycleEvent>refused)
                .orElseGet(() -> LifecycleCommandResult.accepted(
                        List.of(new LifecycleEvent.EvidenceAttached(context.now(), by, evidence))));
    }

    /** The evidence with each decision written with the name of its state. */
    List<Evidence> canonical(List<Evidence> evidence) {
        return evidence.stream().map(this::canonical).toList();
    }

    private Evidence canonical(Evidence piece) {
        EvidenceDefinition kind = context.processDefinition().evidence().get(piece.kind());
        return kind != null && kind.format() == EvidenceDefinition.Format.DECISION
                ? DecisionEvidence.parse(piece.value(), context.processDefinition())
                        .map(value -> new Evidence(piece.kind(), value.toString()))
                        .orElse(piece)
                : piece;
    }

    /**
     * The refusal of the first piece of evidence that is not acceptable.
     *
     * @param withMove whether the actor offers it with a move; without one, evidence that counts only for its move is
     *     refused
     */
    Optional<LifecycleRefusal> findRefusal(List<Evidence> evidence, boolean withMove) {
        return evidence.stream()
                .map(piece -> findRefusal(piece, withMove))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<LifecycleRefusal> findRefusal(Evidence piece, boolean withMove) {
        EvidenceDefinition kind = context.processDefinition().evidence().get(piece.kind());
        if (kind == null) {
            return Optional.of(unknownKindRefusal(piece.kind()));
        }
        if (kind.format().isResultOfVote()) {
            return badEvidence("'" + kind.name() + "' is the result of the vote and cannot be given.", List.of());
        }
        if (kind.validity() == EvidenceDefinition.Validity.MOVE && !withMove) {
            return badEvidence(
                    "'" + kind.name() + "' is valid for one move only. Give it together with that move.", List.of());
        }
        if (!context.hasAnyRole(by, kind.allowedRoles())) {
            return Optional.of(new LifecycleRefusal(
                    RefusalCode.NOT_ALLOWED.code(),
                    "Only " + new LifecycleMessageFormatter(context).formatRoles(kind.allowedRoles()) + " can give '"
                            + kind.name() + "'.",
                    kind.allowedRoles().stream()
                            .flatMap(role -> context.holdersOrGroup(role).stream())
                            .toList(),
                    List.of()));
        }
        ExclusionPolicy exclusionPolicy = new ExclusionPolicy(context);
        Optional<String> exclusion = exclusionPolicy.findReason(
                by, exclusionPolicy.excludedFromEvidence(kind), exclusionPolicy.decides(kind));
        if (exclusion.isPresent()) {
            return Optional.of(CommentAndEditHandler.excludedRefusal("give '" + kind.name() + "'", exclusion.get()));
        }
        if (kind.format() == EvidenceDefinition.Format.DECISION) {
            return decisionRefusal(kind, piece.value());
        }
        if (kind.format() == EvidenceDefinition.Format.DATE && isDateOutOfRange(piece.value())) {
            return badEvidence(
                    "'" + piece.value() + "' is not valid for '" + kind.name() + "'. Use a date from today ("
                            + LifecycleMessageFormatter.formatDate(context.now()) + ") to " + MAX_YEARS_AHEAD
                            + " years ahead.",
                    List.of(invalid(kind)));
        }
        return isWellFormed(kind, piece.value())
                ? Optional.empty()
                : badEvidence(
                        "'" + piece.value() + "' is not valid for '" + kind.name() + "'. Use "
                                + RequirementEvaluator.acceptedFormat(kind.format()) + ".",
                        List.of(invalid(kind)));
    }

    private Optional<LifecycleRefusal> decisionRefusal(EvidenceDefinition kind, String value) {
        Collection<String> targets =
                context.processDefinition().decisionTargets(context.snapshot().state(), kind.name());
        if (targets.isEmpty()) {
            return badEvidence(
                    "'" + kind.name() + "' cannot be given in the state `"
                            + context.snapshot().state() + "`: no move from there needs it.",
                    List.of());
        }
        return DecisionEvidence.parse(value, context.processDefinition())
                        .filter(decision -> targets.contains(decision.state()))
                        .isPresent()
                ? Optional.empty()
                : badEvidence(
                        "'" + value + "' is not valid for '" + kind.name() + "'. Begin with the state for which it"
                                + " decides (" + LifecycleMessageFormatter.formatStates(targets)
                                + "), then write a colon and the text of the decision.",
                        List.of(invalid(kind)));
    }

    /** The refusal of a kind of evidence that the process does not define. */
    LifecycleRefusal unknownKindRefusal(String kind) {
        return LifecycleRefusal.of(
                RefusalCode.BAD_EVIDENCE.code(), "Unknown evidence '" + kind + "'. " + suggestion(kind));
    }

    private static RequirementStatus invalid(EvidenceDefinition kind) {
        return new RequirementStatus(
                kind.description(),
                false,
                RequirementEvaluator.acceptedFormat(kind.format()),
                List.of(kind.name()),
                kind.description() + " is not valid");
    }

    private static boolean isWellFormed(EvidenceDefinition kind, String value) {
        return switch (kind.format()) {
            case LINK -> isLink(value);
            case DATE -> LifecycleContext.parseDate(value).isPresent();
            case TEXT -> true;
            case DECISION, TALLY, LOST_TALLY -> false;
        };
    }

    /** Whether a date is past, or more than {@link #MAX_YEARS_AHEAD} years ahead and thus surely a mistake. */
    private boolean isDateOutOfRange(String value) {
        LocalDate today = LocalDate.ofInstant(context.now(), ZoneOffset.UTC);
        return LifecycleContext.parseDate(value)
                .map(instant -> LocalDate.ofInstant(instant, ZoneOffset.UTC))
                .filter(day -> day.isBefore(today) || day.isAfter(today.plusYears(MAX_YEARS_AHEAD)))
                .isPresent();
    }

    private static boolean isLink(String value) {
        try {
            URI uri = new URI(value.strip());
            return uri.getHost() != null
                    && ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private String suggestion(String word) {
        return WordSuggester.suggest(
                        word, context.processDefinition().evidence().keySet())
                .map(near -> "Did you mean '" + near + "'?")
                .orElseGet(() -> "Use "
                        + LifecycleMessageFormatter.formatAlternatives(List.copyOf(
                                context.processDefinition().evidence().keySet()))
                        + ".");
    }

    private static Optional<LifecycleRefusal> badEvidence(String message, List<RequirementStatus> missing) {
        return Optional.of(new LifecycleRefusal(RefusalCode.BAD_EVIDENCE.code(), message, List.of(), missing));
    }
}
