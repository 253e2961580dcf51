package dev.gavel.lifecycle.shipped;

import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.linkEvidence;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.textEvidence;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleHistory;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the processes of other projects that ship with the program, from submission to a settled state. */
class OtherProjectsProcessTest {
    private static final Actor ANN = Actor.of("ann");

    private static SepScenario submitted(String process, ExternalFacts externalFacts, String... attributes) {
        LifecycleEngine engine = ShippedProcessFixtures.read("../processes/" + process + ".yaml");
        ExternalFacts met = externalFacts;
        for (String fact : engine.processDefinition().facts().keySet()) {
            met = met.withFact(fact);
        }
        Map<String, String> all = new HashMap<>(Map.of("title", "Sails"));
        for (int i = 0; i < attributes.length; i += 2) {
            all.put(attributes[i], attributes[i + 1]);
        }
        return new SepScenario(engine, LifecycleHistory.empty(), met, ShippedProcessFixtures.START)
                .perform(new LifecycleCommand.Submit(ANN, List.of(), all, List.of()));
    }

    private static Evidence date(String kind, long day) {
        return new Evidence(
                kind,
                ShippedProcessFixtures.day(day)
                        .atZone(ZoneOffset.UTC)
                        .toLocalDate()
                        .toString());
    }

    private static LifecycleCommand attach(Actor by, Evidence evidence) {
        return new LifecycleCommand.Attach(by, List.of(evidence));
    }

    private static LifecycleCommand vote(Actor by, BallotChoice choice) {
        return new LifecycleCommand.Vote(by, choice, choice == BallotChoice.CONCERN ? "It leaks." : "");
    }

    @Test
    void aKepIsImplementableAfterApprovalAndProductionReadinessReview() {
        Actor lead = Actor.of("lee", "sig-lead");
        Actor ready = Actor.of("rex", "readiness-approver");
        SepScenario proposed = submitted(
                        "kep",
                        ExternalFacts.none().withMembers("sig-lead", "lee").withMembers("readiness-approver", "rex"))
                .perform(new LifecycleCommand.TakeRole(lead, "approver", List.of()));
        assertThat(proposed.state()).isEqualTo("provisional");
        assertThat(proposed.expectMoveRefused(lead, "implementable", linkEvidence("approval"))
                        .message())
                .contains("production readiness review");
        SepScenario implementable = proposed.perform(attach(ready, linkEvidence("readiness")))
                .move(lead, "implementable", linkEvidence("approval"));
        assertThat(implementable
                        .move(ANN, "implemented", linkEvidence("graduation"))
                        .guidance(ANN)
                        .mustAct())
                .isEmpty();
    }

    @Test
    void aPepIsAcceptedByTheWholeCouncilOrByItsDelegate() {
        Actor cora = Actor.of("cora", "council");
        Actor carl = Actor.of("carl", "council");
        Actor dev = Actor.of("dev", "core-developer");
        SepScenario requested = submitted(
                        "pep",
                        ExternalFacts.none()
                                .withMembers("council", "cora", "carl")
                                .withMembers("core-developer", "dev"),
                        "type",
                        "Standards Track")
                .perform(attach(ANN, linkEvidence("review-request")));
        SepScenario half = requested.perform(vote(cora, BallotChoice.YES));
        assertThat(half.expectMoveRefused(cora, "accepted", linkEvidence("resolution"))
                        .message())
                .contains("1 voted, 2 needed");
        SepScenario accepted =
                half.perform(vote(carl, BallotChoice.ABSTAIN)).move(cora, "accepted", linkEvidence("resolution"));
        assertThat(accepted.expectMoveRefused(ANN, "final").message()).contains("reference implementation");
        assertThat(accepted.move(ANN, "final", linkEvidence("implementation")).state())
                .isEqualTo("final");
        assertThat(requested
                        .perform(new LifecycleCommand.TakeRole(dev, "delegate", List.of()))
                        .move(dev, "accepted", textEvidence("delegate-decision"), linkEvidence("resolution"))
                        .state())
                .isEqualTo("accepted");
    }

    @Test
    void anEipIsFinalOnlyAfterItsLastCall() {
        Actor editor = Actor.of("ed", "editor");
        SepScenario lastCall = submitted(
                        "eip", ExternalFacts.none().withMembers("editor", "ed"), "type", "Standards Track")
                .move(ANN, "review")
                .move(ANN, "last-call", date("last-call-deadline", 14));
        assertThat(lastCall.expectMoveRefused(editor, "final", linkEvidence("implementations"))
                        .message())
                .contains("the date on which the last call ends is 2026-01-19");
        assertThat(lastCall.onDay(15)
                        .move(editor, "final", linkEvidence("implementations"))
                        .state())
                .isEqualTo("final");
    }

    @Test
    void anEipBecomesStagnantWhenItsAuthorIsInactiveForSixMonths() {
        SepScenario draft = submitted("eip", ExternalFacts.none().withMembers("editor", "ed"));
        assertThat(draft.onDay(179).dueActions()).isEmpty();
        assertThat(draft.onDay(181).performDueActions().state()).isEqualTo("stagnant");
        assertThat(draft.onDay(179).comment(ANN).onDay(181).dueActions()).isEmpty();
    }

    @Test
    void aRustRfcNeedsTheWholeTeamAndTheFinalCommentPeriod() {
        Actor tom = Actor.of("tom", "team-member");
        Actor tia = Actor.of("tia", "team-member");
        SepScenario proposed = submitted("rust-rfc", ExternalFacts.none().withMembers("team-member", "tom", "tia"))
                .perform(vote(tom, BallotChoice.YES));
        Evidence[] motion = {textEvidence("disposition"), date("comments-until", 10)};
        assertThat(proposed.expectMoveRefused(tom, "final-comment", motion).message())
                .contains("1 voted, 2 needed");
        assertThat(proposed.perform(vote(tia, BallotChoice.CONCERN))
                        .expectMoveRefused(tom, "final-comment", motion)
                        .message())
                .contains("concern");
        SepScenario period = proposed.perform(vote(tia, BallotChoice.YES)).move(tom, "final-comment", motion);
        assertThat(period.expectMoveRefused(tom, "active", linkEvidence("tracking-issue"))
                        .message())
                .contains("the last day of the final comment period is 2026-01-15");
        assertThat(period.onDay(11).dueActions()).singleElement().isInstanceOf(ClockAction.Reminder.class);
        assertThat(period.onDay(11)
                        .move(tia, "active", linkEvidence("tracking-issue"))
                        .state())
                .isEqualTo("active");
    }

    @Test
    void aGepIsAssessedWhenItsProbationaryPeriodEnds() {
        Actor mo = Actor.of("mo", "maintainer");
        SepScenario implementable = submitted("gep", ExternalFacts.none().withMembers("maintainer", "mo"))
                .perform(new LifecycleCommand.TakeRole(mo, "shepherd", List.of()))
                .move(
                        mo,
                        "implementable",
                        linkEvidence("goals"),
                        textEvidence("scope"),
                        textEvidence("implementations"));
        assertThat(implementable
                        .expectMoveRefused(mo, "experimental", linkEvidence("changes"))
                        .message())
                .contains("probationary period");
        SepScenario experimental =
                implementable.move(mo, "experimental", linkEvidence("changes"), date("probation-ends", 180));
        assertThat(experimental.onDay(181).dueActions()).singleElement().isInstanceOf(ClockAction.Reminder.class);
        assertThat(experimental
                        .move(mo, "standard", linkEvidence("conformance"))
                        .state())
                .isEqualTo("standard");
    }

    @Test
    void wordsOfTheDocumentsAreStates() {
        assertThat(submitted("eip", ExternalFacts.none())
                        .lifecycleEngine()
                        .processDefinition()
                        .findState("Last Call"))
                .contains("last-call");
        assertThat(submitted("pep", ExternalFacts.none())
                        .lifecycleEngine()
                        .processDefinition()
                        .findState("April Fool!"))
                .contains("rejected");
    }
}
