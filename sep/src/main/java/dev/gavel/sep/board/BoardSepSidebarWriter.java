package dev.gavel.sep.board;

import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.VoteTally;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.history.VoteRound;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.lifecycle.result.RequirementStatus;
import dev.gavel.sep.chart.MarkupBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes the side column of a SEP's page on the static board: state, who must act, next steps, votes and evidence. */
record BoardSepSidebarWriter(BoardInput input, BoardEntry entry) {
    void write(MarkupBuilder main) {
        LifecycleGuidance guidance = entry.guidance();
        main.add("<aside class=\"side\" aria-label=\"Status and next steps\">\n");
        main.add("<section class=\"card guidance\" aria-labelledby=\"stands\">\n<h2 id=\"stands\">Status</h2>\n");
        main.add("<p class=\"status kind-%s\">%s</p>\n", kind(), guidance.status());
        main.add("<dl>\n<dt>Waiting for</dt>\n");
        if (guidance.mustAct().isEmpty()) {
            main.add("<dd>no one</dd>\n");
        }
        for (LifecycleGuidance.Assignment assignment : guidance.mustAct()) {
            main.add("<dd><b dir=\"auto\">%s</b>", input.name(assignment.party()));
            if (assignment.party() instanceof Person) {
                main.add(", %s", input.processDefinition().title(assignment.role()));
            }
            main.add(" <span class=\"muted\">since ").raw(BoardPageFrameWriter.dayTag(assignment.since()));
            main.add(", %s</span></dd>\n", BoardPageFrameWriter.age(assignment.since(), input.now()));
        }
        if (!guidance.waitingOn().isEmpty()) {
            main.add("<dt>Also needs input from</dt>\n");
            guidance.waitingOn()
                    .forEach(personOrGroup -> main.add("<dd dir=\"auto\">%s</dd>\n", input.name(personOrGroup)));
        }
        main.add("<dt>Deadline</dt>\n<dd>");
        Optional<LifecycleGuidance.Deadline> expected = guidance.nextDeadline();
        if (expected.isPresent()) {
            main.raw(BoardPageFrameWriter.dayTag(expected.get().at()));
            main.add(
                    "<span class=\"muted\">. If nothing happens by then, %s</span>",
                    withFullStop(clause(expected.get().consequence())));
        } else {
            main.add("none");
        }
        main.add("</dd>\n</dl>\n</section>\n");
        steps(main, guidance);
        advance(main, guidance);
        votes(main);
        evidence(main);
        main.add("</aside>\n");
    }

    private void steps(MarkupBuilder main, LifecycleGuidance guidance) {
        Map<String, String> steps = entry.nextSteps(input);
        main.add("<section class=\"card\" aria-labelledby=\"next\">\n<h2 id=\"next\">Next steps</h2>\n<dl>\n");
        steps.forEach((who, step) -> main.add("<dt>%s</dt>\n<dd dir=\"auto\">%s</dd>\n", capitalized(who), step));
        main.add("<dt>%s</dt>\n", steps.isEmpty() ? "Everyone" : "Everyone else");
        main.add("<dd dir=\"auto\">%s</dd>\n</dl>\n</section>\n", guidance.nextStep());
    }

    private void advance(MarkupBuilder main, LifecycleGuidance guidance) {
        List<MoveEligibility> forwardMoves = new ArrayList<>();
        List<MoveEligibility> otherMoves = new ArrayList<>();
        boolean open = guidance.moves().stream().anyMatch(each -> hasKind(each.to(), StateDefinition.Kind.OPEN));
        for (MoveEligibility each : guidance.moves()) {
            boolean isForward = open
                    ? hasKind(each.to(), StateDefinition.Kind.OPEN)
                    : hasKind(each.to(), StateDefinition.Kind.SETTLED);
            (isForward ? forwardMoves : otherMoves).add(each);
        }
        if (forwardMoves.isEmpty() && otherMoves.isEmpty()) {
            return;
        }
        main.add(
                "<section class=\"card\" aria-labelledby=\"advance\">\n<h2 id=\"advance\">%s</h2>\n",
                forwardMoves.isEmpty() ? "Possible moves" : "Requirements to move on");
        forwardMoves.forEach(each -> writeMove(main, each));
        if (forwardMoves.isEmpty()) {
            otherMoves.forEach(each -> writeMove(main, each));
        } else if (!otherMoves.isEmpty()) {
            main.add("<details>\n<summary>Other moves</summary>\n");
            otherMoves.forEach(each -> writeMove(main, each));
            main.add("</details>\n");
        }
        main.add("</section>\n");
    }

    private static void writeMove(MarkupBuilder main, MoveEligibility moveEligibility) {
        main.add(
                "<h3>Move to %s</h3>\n<p class=\"muted\">Can be made by %s.</p>\n",
                moveEligibility.to(), moveEligibility.whoMayText());
        moveEligibility.blockReason().ifPresent(why -> main.add("<p class=\"complaint\" dir=\"auto\">%s</p>\n", why));
        if (moveEligibility.requirementStatuses().isEmpty()) {
            return;
        }
        main.add("<ul class=\"ticks\">\n");
        for (RequirementStatus need : moveEligibility.requirementStatuses()) {
            main.add("<li class=\"%s\">", need.met() ? "met" : "unmet");
            main.add(
                    "<span class=\"tick\" role=\"img\" aria-label=\"%s\">%s</span>",
                    need.met() ? "met" : "missing", need.met() ? "✓" : "○");
            main.add("<span dir=\"auto\">%s", capitalized(need.description()));
            boolean repeated = need.detail().equals(need.description())
                    || (need.met() && need.detail().equals("met"));
            if (!need.detail().isBlank() && !repeated) {
                main.add(" <span class=\"muted\">(")
                        .raw(BoardPageFrameWriter.linkify(need.detail()))
                        .add(")</span>");
            }
            main.add("</span></li>\n");
        }
        main.add("</ul>\n");
    }

    private void votes(MarkupBuilder main) {
        Optional<VoteTally> tally = new LifecycleEngine(input.processDefinition())
                .voteTally(entry.sep().history(), entry.externalFacts(), input.now());
        if (tally.isEmpty()) {
            return;
        }
        main.add("<section class=\"card\" aria-labelledby=\"votes\">\n<h2 id=\"votes\">Votes</h2>\n");
        main.add("<p>%s.</p>\n", capitalized(tally.get().summary()));
        if (tally.get().carried()) {
            main.add("<p class=\"good\">The vote has carried.</p>\n");
        }
        Map<Person, VoteRound.CastBallot> ballots =
                entry.sep().snapshot().voteRound().ballots();
        if (!ballots.isEmpty()) {
            main.add("<dl class=\"ballots\">\n");
            ballots.forEach((person, castBallot) -> main.add(
                            "<dt dir=\"auto\">%s</dt>\n<dd><b>%s</b>",
                            input.name(person), castBallot.ballotChoice().name().toLowerCase(Locale.ROOT))
                    .add(
                            castBallot.reason().isBlank() ? "</dd>\n" : " <span dir=\"auto\">%s</span></dd>\n",
                            reason(castBallot.reason())));
            main.add("</dl>\n");
        }
        main.add("</section>\n");
    }

    private static Object[] reason(String reason) {
        return reason.isBlank() ? new Object[] {} : new Object[] {reason};
    }

    private void evidence(MarkupBuilder main) {
        Map<String, LatestEvidenceByKind.Item> item =
                entry.sep().snapshot().evidence().byKind();
        if (item.isEmpty()) {
            return;
        }
        main.add("<section class=\"card\" aria-labelledby=\"evidence\">\n<h2 id=\"evidence\">Evidence</h2>\n<dl>\n");
        List<String> kinds =
                new ArrayList<>(input.processDefinition().evidence().keySet());
        item.keySet().stream().filter(kind -> !kinds.contains(kind)).sorted().forEach(kinds::add);
        for (String kind : kinds) {
            LatestEvidenceByKind.Item piece = item.get(kind);
            if (piece != null) {
                main.add(
                                "<dt>%s</dt>\n<dd dir=\"auto\">",
                                capitalized(input.processDefinition().describeEvidence(kind)))
                        .raw(BoardPageFrameWriter.linkify(piece.value()))
                        .add(" <span class=\"muted\">")
                        .raw(BoardPageFrameWriter.dayTag(piece.at()))
                        .add("</span></dd>\n");
            }
        }
        main.add("</dl>\n</section>\n");
    }

    private String kind() {
        return BoardIndexPage.kind(input.processDefinition().state(entry.sep().state()));
    }

    private boolean hasKind(String state, StateDefinition.Kind kind) {
        StateDefinition found = input.processDefinition().states().get(state);
        return found != null && found.kind() == kind;
    }

    private static String capitalized(String words) {
        return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private static String withFullStop(String words) {
        return words.endsWith(".") ? words : words + ".";
    }

    /** Returns a sentence as the end of another one. A sentence about a reminder begins with a name. */
    private static String clause(String sentence) {
        return sentence.isEmpty() || sentence.endsWith(" will be reminded")
                ? sentence
                : Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
