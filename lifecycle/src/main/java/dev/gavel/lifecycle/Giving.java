package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.answer.Requirement;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.yaml.Nearest;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Decides whether evidence is acceptable. */
record Giving(Scene scene, Actor by) {
    private static final int FARTHEST_YEARS = 10;

    Decision<Event> attach(List<Evidence> evidence) {
        if (evidence.isEmpty()) {
            return RefusalCode.BAD_EVIDENCE.refused("Name the evidence to attach.");
        }
        return unacceptable(evidence, false)
                .map(Decision::<Event>refused)
                .orElseGet(() -> Decision.accepted(List.of(new Event.Attached(scene.now(), by, evidence))));
    }

    /**
     * Why some of the evidence is not acceptable.
     *
     * @param withMove whether it comes with a move; evidence that counts for nothing else is no use without one
     */
    Optional<Refusal> unacceptable(List<Evidence> evidence, boolean withMove) {
        return evidence.stream()
                .map(piece -> unacceptable(piece, withMove))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<Refusal> unacceptable(Evidence piece, boolean withMove) {
        EvidenceKind kind = scene.process().evidence().get(piece.kind());
        if (kind == null) {
            return bad("There is no evidence called '" + piece.kind() + "'" + meant(piece.kind()), List.of());
        }
        if (kind.form() == EvidenceKind.Form.TALLY) {
            return bad("Only voting makes '" + kind.name() + "'; it cannot be given.", List.of());
        }
        if (kind.lasts() == EvidenceKind.Lasts.MOVE && !withMove) {
            return bad("'" + kind.name() + "' counts only for the move it comes with; give it then.", List.of());
        }
        if (!scene.hasAny(by, kind.who())) {
            return Optional.of(new Refusal(
                    RefusalCode.NOT_ALLOWED.word(),
                    "Only " + new Words(scene).roles(kind.who()) + " may give '" + kind.name() + "'.",
                    kind.who().stream()
                            .flatMap(role -> scene.bearers(role).stream())
                            .toList(),
                    List.of()));
        }
        if (kind.form() == EvidenceKind.Form.DATE && isOutOfReach(piece.value())) {
            return bad(
                    "'" + piece.value() + "' will not do as '" + kind.name()
                            + "': it must be a day from today (" + Words.date(scene.now()) + ") to "
                            + FARTHEST_YEARS + " years ahead.",
                    List.of(new Requirement(kind.says(), false, Needs.accepted(kind.form()), List.of(kind.name()))));
        }
        return wellFormed(kind, piece.value())
                ? Optional.empty()
                : bad(
                        "'" + piece.value() + "' will not do as '" + kind.name() + "': it must be "
                                + Needs.accepted(kind.form()) + ".",
                        List.of(new Requirement(
                                kind.says(), false, Needs.accepted(kind.form()), List.of(kind.name()))));
    }

    private static boolean wellFormed(EvidenceKind kind, String value) {
        return switch (kind.form()) {
            case LINK -> isLink(value);
            case DATE -> Scene.parseDate(value).isPresent();
            case TEXT -> true;
            case TALLY -> false;
        };
    }

    /** Whether a date is past, or so far off that nobody can have meant it. */
    private boolean isOutOfReach(String value) {
        LocalDate today = LocalDate.ofInstant(scene.now(), ZoneOffset.UTC);
        return Scene.parseDate(value)
                .map(instant -> LocalDate.ofInstant(instant, ZoneOffset.UTC))
                .filter(day -> day.isBefore(today) || day.isAfter(today.plusYears(FARTHEST_YEARS)))
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

    private String meant(String word) {
        return Nearest.to(word, scene.process().evidence().keySet())
                .map(near -> "; did you mean '" + near + "'?")
                .orElseGet(() -> ", only "
                        + Words.choice(List.copyOf(scene.process().evidence().keySet())) + ".");
    }

    private static Optional<Refusal> bad(String message, List<Requirement> missing) {
        return Optional.of(new Refusal(RefusalCode.BAD_EVIDENCE.word(), message, List.of(), missing));
    }
}
