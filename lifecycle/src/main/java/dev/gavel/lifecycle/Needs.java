package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Requirement;
import dev.gavel.lifecycle.history.Attachments;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Need;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Ticks off what a move needs.
 *
 * @param given the evidence that comes with the move
 */
record Needs(Scene scene, List<Evidence> given) {
    /** The needs that apply to this proposal, each met or not. */
    List<Requirement> check(List<Need> needs) {
        return needs.stream().map(this::check).flatMap(Optional::stream).toList();
    }

    /**
     * When a need will be met by nothing but time passing; already past where it is met. Empty where somebody must do
     * something first.
     */
    Optional<Instant> metByTime(Need need) {
        return switch (need) {
            case Need.Vacant vacant -> vacantUntil(vacant);
            case Need.Idle idle -> Optional.of(lastActive(idle.role()).plus(idle.span()));
            case Need.Reached reached -> scene.date(reached.kind());
            case Need.Any any ->
                any.choices().stream()
                        .map(this::metByTime)
                        .flatMap(Optional::stream)
                        .min(Instant::compareTo);
            case Need.When when when applies(when) -> metByTime(when.need());
            case Need.Said said -> metByTime(said.need());
            default -> check(need).map(Requirement::met).orElse(true) ? Optional.of(scene.now()) : Optional.empty();
        };
    }

    private Optional<Requirement> check(Need need) {
        return switch (need) {
            case Need.Given(String kind) -> Optional.of(evidence(scene.process().kind(kind)));
            case Need.Here(String kind, boolean withMove) ->
                Optional.of(evidence(
                        scene.process().kind(kind),
                        withMove
                                ? Optional.empty()
                                : scene.standing().evidence().latestHere(kind)));
            case Need.Fact fact -> Optional.of(fact(fact.name()));
            case Need.Reached reached -> Optional.of(reached(scene.process().kind(reached.kind())));
            case Need.Vacant vacant -> Optional.of(vacant(vacant));
            case Need.Idle idle -> Optional.of(idle(idle));
            case Need.Any any -> any(check(any.choices()), lost(any));
            case Need.Said said ->
                check(said.need()).map(same -> new Requirement(said.says(), same.met(), same.accepts(), same.kinds()));
            case Need.When when -> applies(when) ? check(when.need()) : Optional.empty();
        };
    }

    private Requirement evidence(EvidenceKind kind) {
        if (kind.form() == EvidenceKind.Form.TALLY) {
            Optional<Tally> tally = scene.tally();
            return new Requirement(
                    kind.says(),
                    tally.filter(Tally::carried).isPresent(),
                    tally.map(Needs::words).orElse("there is no vote here"),
                    List.of());
        }
        return evidence(kind, scene.evidence(kind));
    }

    private Requirement evidence(EvidenceKind kind, Optional<Attachments.Given> there) {
        Optional<String> value = given.stream()
                .filter(piece -> piece.kind().equals(kind.name()))
                .map(Evidence::value)
                .findFirst()
                .or(() -> there.map(Attachments.Given::value));
        return new Requirement(
                kind.says(),
                value.isPresent(),
                value.orElseGet(() -> kind.name() + ": " + accepted(kind.form())),
                List.of(kind.name()));
    }

    private Requirement fact(String name) {
        String says = Objects.requireNonNullElse(scene.process().facts().get(name), name);
        Circumstances.Fact fact = scene.circumstances().facts().get(name);
        if (fact == null) {
            return new Requirement(says, false, "not known to be so", List.of());
        }
        String detail = fact.detail().isBlank() ? "not so yet" : fact.detail();
        return new Requirement(says, fact.holds(), fact.holds() ? "it is so" : detail, List.of());
    }

    private Requirement reached(EvidenceKind kind) {
        Optional<Instant> date = scene.date(kind.name());
        return new Requirement(
                "the date has come: " + kind.says(),
                date.filter(this::past).isPresent(),
                date.map(Words::date).orElse("no date was given"),
                List.of());
    }

    private Requirement vacant(Need.Vacant need) {
        Optional<Instant> date = vacantUntil(need);
        return new Requirement(
                "nobody has been " + scene.process().title(need.role()) + " for " + Words.span(need.span()),
                date.filter(this::past).isPresent(),
                date.map(Words::date).orElseGet(() -> new Words(scene).parties(scene.bearers(need.role())) + " is"),
                List.of());
    }

    private Requirement idle(Need.Idle need) {
        Instant date = lastActive(need.role()).plus(need.span());
        return new Requirement(
                "nothing from " + scene.process().title(need.role()) + " for " + Words.span(need.span()),
                past(date),
                Words.date(date),
                List.of());
    }

    private static String words(Tally tally) {
        return lost(tally) ? "the vote has not carried (" + tally.words() + ")" : tally.words();
    }

    private static boolean lost(Tally tally) {
        return tally.voted() > 0 && !tally.carried();
    }

    /** How a vote stands that was held and has not carried, where a need would be met by it. */
    private Optional<String> lost(Need.Any any) {
        return any.kinds().anyMatch(kind -> scene.process().kind(kind).form() == EvidenceKind.Form.TALLY)
                ? scene.tally().filter(Needs::lost).map(Needs::words)
                : Optional.empty();
    }

    /** What would do where a vote has not: nobody is to pass it over without saying so. */
    private static String otherwise(String lost, List<String> kinds) {
        return kinds.isEmpty()
                ? lost
                : lost + "; a decision taken otherwise is given as evidence "
                        + Words.choice(kinds.stream().map(kind -> kind + "=…").toList());
    }

    private static Optional<Requirement> any(List<Requirement> choices, Optional<String> lost) {
        if (choices.isEmpty()) {
            return Optional.empty();
        }
        List<Requirement> met = choices.stream().filter(Requirement::met).toList();
        List<Requirement> told = met.isEmpty() ? choices : met;
        List<String> kinds =
                choices.stream().flatMap(choice -> choice.kinds().stream()).toList();
        String accepts =
                String.join(", or ", told.stream().map(Requirement::accepts).toList());
        return Optional.of(new Requirement(
                String.join(" or ", choices.stream().map(Requirement::says).toList()),
                !met.isEmpty(),
                met.isEmpty() ? lost.map(vote -> otherwise(vote, kinds)).orElse(accepts) : accepts,
                kinds));
    }

    private boolean applies(Need.When when) {
        return scene.attribute(when.attribute()).filter(when.values()::contains).isPresent();
    }

    private Optional<Instant> vacantUntil(Need.Vacant need) {
        return scene.vacant(need.role())
                ? Optional.of(scene.vacantSince(need.role()).plus(need.span()))
                : Optional.empty();
    }

    /** When a holder last did anything; a role that nobody holds was last heard of when the state began. */
    private Instant lastActive(String role) {
        return scene.standing().holders().of(role).stream()
                .map(holder ->
                        Scene.later(holder.since(), scene.standing().activity().of(holder.person())))
                .max(Instant::compareTo)
                .orElse(scene.standing().since());
    }

    private boolean past(Instant instant) {
        return !instant.isAfter(scene.now());
    }

    /** What a form of evidence must look like. */
    static String accepted(EvidenceKind.Form form) {
        return switch (form) {
            case LINK -> "a link that begins with http:// or https://";
            case TEXT -> "in words";
            case DATE -> "a date such as 2026-03-31";
            case TALLY -> "a vote that carries";
        };
    }
}
