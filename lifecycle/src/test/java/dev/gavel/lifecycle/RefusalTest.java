package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.GardenProcess.ADA;
import static dev.gavel.lifecycle.GardenProcess.EVE;
import static dev.gavel.lifecycle.GardenProcess.MO;
import static dev.gavel.lifecycle.GardenProcess.PLAN;
import static dev.gavel.lifecycle.GardenProcess.REASON;
import static dev.gavel.lifecycle.GardenProcess.SAM;
import static dev.gavel.lifecycle.GardenProcess.attach;
import static dev.gavel.lifecycle.GardenProcess.move;
import static dev.gavel.lifecycle.GardenProcess.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.lifecycle.result.RequirementStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RefusalTest {
    @Test
    void aRefusedMoveNamesWhoMayMakeIt() {
        LifecycleRefusal refusal = GardenProcess.in("digging").expectRefused(move(EVE, "council", PLAN));
        assertThat(refusal.code()).isEqualTo("not-allowed");
        assertThat(refusal.whoMay()).containsExactly(new Person("mo"), new RoleGroup("steward"));
        assertThat(refusal.message())
                .isEqualTo("Only the mentor (mo) or a steward can move this proposal to `council`.");
    }

    @Test
    void aRefusedMoveNamesAllThatIsMissingAndWhatWouldBeAccepted() {
        ExternalFacts dry = GardenProcess.KNOWN.withUnmetFact("reachable", "4 metres are missing");
        LifecycleRefusal refusal = GardenProcess.in("digging").withFacts(dry).expectRefused(move(MO, "council"));
        assertThat(refusal.code()).isEqualTo("missing");
        assertThat(refusal.unmetRequirements())
                .containsExactly(
                        new RequirementStatus(
                                "a hose that reaches the bed",
                                false,
                                "4 metres are missing",
                                List.of(),
                                "4 metres are missing"),
                        new RequirementStatus(
                                "a plan of the bed",
                                false,
                                "plan: a link that begins with http:// or https://",
                                List.of("plan"),
                                "a plan of the bed is missing (plan: a link that begins with http:// or https://)"));
        assertThat(refusal.message())
                .isEqualTo("Cannot move to `council`: 4 metres are missing; a plan of the bed is missing"
                        + " (plan: a link that begins with http:// or https://).");
    }

    @Test
    void whoeverMayNotMoveItHearsOfWhatIsMissingToo() {
        LifecycleRefusal refusal = GardenProcess.in("digging").expectRefused(move(EVE, "council"));
        assertThat(refusal.unmetRequirements())
                .extracting(RequirementStatus::evidenceKinds)
                .containsExactly(List.of("plan"));
        assertThat(refusal.message())
                .isEqualTo("Only the mentor (mo) or a steward can move this proposal to `council`. Also, a plan of the"
                        + " bed is missing (plan: a link that begins with http:// or https://).");
    }

    @Test
    void explainingSaysWhatTryingWouldSay() {
        LifecycleScenario lifecycleScenario = GardenProcess.in("digging");
        for (Actor actor : List.of(ADA, MO, SAM, EVE)) {
            for (String target : List.of("council", "growing", "gone", "cuoncil")) {
                LifecycleRefusal refusal = lifecycleScenario.expectRefused(move(actor, target));
                MoveEligibility moveEligibility = lifecycleScenario.explain(actor, target);
                assertThat(moveEligibility.explanation()).isEqualTo(refusal.message());
                assertThat(moveEligibility.allowedParties()).isEqualTo(refusal.whoMay());
                assertThat(moveEligibility.unmetRequirements()).isEqualTo(refusal.unmetRequirements());
            }
        }
    }

    @Test
    void aMoveThatCanBeMadeIsExplainedAsSuch() {
        MoveEligibility moveEligibility = GardenProcess.in("idea").explain(MO, "digging");
        assertThat(moveEligibility.isPossible()).isTrue();
        assertThat(moveEligibility.explanation()).isEqualTo("You can move this proposal to `digging` now.");
    }

    @Test
    void aFactNobodyVouchesForDoesNotHold() {
        LifecycleRefusal refusal =
                new LifecycleScenario().withFacts(ExternalFacts.none()).expectRefused(submit(ADA, Map.of()));
        assertThat(refusal.unmetRequirements())
                .containsExactly(new RequirementStatus(
                        "a sketch of the bed",
                        false,
                        "unknown",
                        List.of(),
                        "this requirement is not met: a sketch of the bed"));
    }

    @Test
    void aFactThatTheProcessDescribesWithAClauseIsUnderstandableToo() {
        LifecycleEngine clause =
                GardenProcess.with("sketched: a sketch of the bed", "sketched: it says what is to grow where");
        assertThat(clause.explainSubmission(
                                ADA,
                                Map.of(),
                                ExternalFacts.none().withUnmetFact("sketched", "the sketch is missing"),
                                GardenProcess.day(0))
                        .explanation())
                .isEqualTo("Cannot move to `idea`: the sketch is missing.");
        assertThat(clause.explainSubmission(ADA, Map.of(), ExternalFacts.none(), GardenProcess.day(0))
                        .explanation())
                .isEqualTo("Cannot move to `idea`: this requirement is not met: it says what is to grow where.");
    }

    @Test
    void submittingIsExplainedBeforeAnythingIsSubmitted() {
        MoveEligibility moveEligibility = GardenProcess.LIFECYCLE.explainSubmission(
                ADA, Map.of(), ExternalFacts.none().withUnmetFact("sketched", "no sketch"), GardenProcess.day(0));
        assertThat(moveEligibility.actorMay()).isTrue();
        assertThat(moveEligibility.unmetRequirements())
                .extracting(RequirementStatus::detail)
                .containsExactly("no sketch");
    }

    @Test
    void aMoveThatDoesNotExistIsRefusedWithThoseThatDo() {
        assertThat(GardenProcess.in("digging")
                        .expectRefused(move(MO, "growing"))
                        .message())
                .isEqualTo(
                        "Cannot move from `digging` to `growing`. Possible moves from `digging`: `council`, `fallow` or"
                                + " `gone`.");
    }

    @Test
    void aMistypedStateIsRefusedWithTheOneThatWasMeant() {
        assertThat(GardenProcess.in("idea").expectRefused(move(MO, "diging")))
                .isEqualTo(LifecycleRefusal.of("unknown-state", "Unknown state 'diging'. Did you mean 'digging'?"));
    }

    @Test
    void nothingButCommentsHappensAfterTheEnd() {
        LifecycleScenario end = GardenProcess.in("composted");
        assertThat(end.expectRefused(move(SAM, "idea")).code()).isEqualTo("ended");
        assertThat(end.expectRefused(attach(ADA, PLAN)).code()).isEqualTo("ended");
        assertThat(end.expectRefused(new LifecycleCommand.TakeRole(MO, "mentor", List.of()))
                        .code())
                .isEqualTo("ended");
        assertThat(end.perform(new LifecycleCommand.Comment(ADA, "What a pity."))
                        .state())
                .isEqualTo("composted");
    }

    @Test
    void aProposalBeginsOnceAndBeforeAnythingElse() {
        assertThat(new LifecycleScenario().expectRefused(move(MO, "digging")).code())
                .isEqualTo("wrong-time");
        assertThat(GardenProcess.in("idea").expectRefused(submit(ADA, Map.of())).code())
                .isEqualTo("wrong-time");
    }

    @Test
    void anAttributeMustBeKnownAndHaveOneOfItsValues() {
        assertThat(new LifecycleScenario()
                        .expectRefused(submit(ADA, Map.of("bed", "feather")))
                        .message())
                .isEqualTo("Invalid value 'feather' for 'bed'. Use raised, ground or roof.");
        assertThat(new LifecycleScenario()
                        .expectRefused(submit(ADA, Map.of("colour", "green")))
                        .code())
                .isEqualTo("bad-attribute");
    }

    @Test
    void onlyThoseTheProcessNamesMayEditOrAsk() {
        LifecycleScenario lifecycleScenario = GardenProcess.in("digging");
        assertThat(lifecycleScenario
                        .expectRefused(new LifecycleCommand.Edit(EVE, Map.of(), Set.of(), Set.of(), false))
                        .message())
                .isEqualTo("Only the gardener (ada) or the mentor (mo) can edit this proposal.");
        assertThat(lifecycleScenario
                        .expectRefused(new LifecycleCommand.Ask(EVE, new Person("mo"), "When?"))
                        .code())
                .isEqualTo("not-allowed");
        assertThat(lifecycleScenario
                        .perform(new LifecycleCommand.Edit(MO, Map.of("bed", "raised"), Set.of(), Set.of(), false))
                        .snapshot()
                        .attributes())
                .containsEntry("bed", "raised")
                .containsEntry("plant", "beans");
    }

    @Test
    void aRoleHeldInAProposalCannotBeBroughtAlong() {
        Actor liar = Actor.of("eve", "gardener", "mentor");
        assertThat(GardenProcess.in("digging")
                        .expectRefused(move(liar, "gone", REASON))
                        .code())
                .isEqualTo("not-allowed");
    }

    @Test
    void evidenceNobodyKnowsIsRefusedWithWhatWasMeant() {
        assertThat(GardenProcess.in("digging")
                        .expectRefused(attach(MO, new Evidence("paln", "https://x.example")))
                        .message())
                .isEqualTo("Unknown evidence 'paln'. Did you mean 'plan'?");
    }

    @Test
    void aMoveThatWaitsForTimeSaysUntilWhen() {
        LifecycleScenario idea =
                GardenProcess.in("idea").onDay(55).perform(new LifecycleCommand.Comment(ADA, "Anybody?"));
        assertThat(idea.expectRefused(move(SAM, "fallow")).unmetRequirements())
                .containsExactly(
                        new RequirementStatus(
                                "60 days with no mentor",
                                false,
                                "2026-04-30",
                                List.of(),
                                "the role 'mentor' must be vacant for 60 days (until 2026-04-30)"),
                        new RequirementStatus(
                                "14 days without activity by the gardener",
                                false,
                                "2026-05-09",
                                List.of(),
                                "the gardener must be inactive for 14 days (until 2026-05-09)"));
        assertThat(idea.onDay(60).expectRefused(move(SAM, "fallow")).unmetRequirements())
                .extracting(RequirementStatus::detail)
                .containsExactly("2026-05-09");
        assertThat(idea.onDay(69).perform(move(SAM, "fallow")).state()).isEqualTo("fallow");
    }

    @Test
    void aMoveThatWaitsForADateSaysWhich() {
        assertThat(GardenProcess.in("shelved")
                        .expectRefused(move(SAM, "growing"))
                        .unmetRequirements())
                .extracting(RequirementStatus::description, RequirementStatus::detail)
                .containsExactly(tuple(
                        "a date that has passed (the day of the next review) or the stewards' ruling",
                        "2026-04-20, or ruling: text such as 'growing: agreed at the meeting', confirmed by another"
                                + " person: a steward"));
    }

    @Test
    void everySpanIsSaidInItsLargestUnit() {
        assertThat(List.of(Duration.ofDays(1), Duration.ofHours(36), Duration.ofMinutes(15), Duration.ofSeconds(90)))
                .extracting(LifecycleMessageFormatter::formatDuration)
                .containsExactly("1 day", "36 hours", "15 minutes", "90 seconds");
    }

    @Test
    void aStateThatIsNoneOfTheProcessIsAnErrorOfTheCaller() {
        LifecycleHistory elsewhere = LifecycleHistory.of(List.of(new LifecycleEvent.Submitted(
                GardenProcess.day(0), ADA, "orchard", "gardener", List.of(ADA.person()), Map.of())));
        assertThatThrownBy(() ->
                        GardenProcess.LIFECYCLE.guidance(elsewhere, ADA, GardenProcess.KNOWN, GardenProcess.day(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the process garden has no state 'orchard'");
    }

    @Test
    void whatIsSettledCannotBeChanged() {
        assertThat(GardenProcess.in("thriving")
                        .expectRefused(
                                new LifecycleCommand.Edit(ADA, Map.of("plant", "peas"), Set.of(), Set.of(), false)))
                .isEqualTo(LifecycleRefusal.of("settled", "This proposal is `thriving` and can no longer be edited."));
        assertThat(GardenProcess.in("fallow")
                        .perform(new LifecycleCommand.Edit(
                                ADA, Map.of("plant", "peas", "bed", "raised"), Set.of(), Set.of(), false))
                        .snapshot()
                        .attributes())
                .as("its gardener may wake it")
                .containsEntry("plant", "peas")
                .containsEntry("bed", "raised");
    }

    @Test
    void whatRulesDependOnStaysWhileItIsVotedOnAndOnceItIsDecided() {
        assertThat(GardenProcess.in("council")
                        .expectRefused(
                                new LifecycleCommand.Edit(ADA, Map.of("bed", "ground"), Set.of(), Set.of(), false))
                        .message())
                .isEqualTo("Cannot change 'bed' from roof to ground in the state `council`:"
                        + " the vote is about the current value.");
        assertThat(GardenProcess.in("growing")
                        .expectRefused(
                                new LifecycleCommand.Edit(ADA, Map.of("bed", "ground"), Set.of(), Set.of(), false)))
                .isEqualTo(LifecycleRefusal.of(
                        "settled",
                        "Cannot change 'bed' from roof to ground in the state `growing`:"
                                + " the decision was made with the current value."));
        assertThat(GardenProcess.in("council")
                        .perform(new LifecycleCommand.Edit(
                                ADA, Map.of("plant", "peas", "bed", "ROOF"), Set.of(), Set.of(), false))
                        .snapshot()
                        .attributes())
                .containsEntry("plant", "peas");
        for (String state : List.of("idea", "digging", "shelved")) {
            assertThat(GardenProcess.in(state)
                            .perform(new LifecycleCommand.Edit(ADA, Map.of("bed", "ground"), Set.of(), Set.of(), false))
                            .snapshot()
                            .attributes())
                    .containsEntry("bed", "ground");
        }
    }
}
