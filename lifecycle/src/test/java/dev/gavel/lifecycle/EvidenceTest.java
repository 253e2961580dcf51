package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.GardenProcess.ADA;
import static dev.gavel.lifecycle.GardenProcess.DUG;
import static dev.gavel.lifecycle.GardenProcess.EVE;
import static dev.gavel.lifecycle.GardenProcess.MO;
import static dev.gavel.lifecycle.GardenProcess.PLAN;
import static dev.gavel.lifecycle.GardenProcess.REASON;
import static dev.gavel.lifecycle.GardenProcess.SAM;
import static dev.gavel.lifecycle.GardenProcess.attach;
import static dev.gavel.lifecycle.GardenProcess.move;
import static dev.gavel.lifecycle.GardenProcess.ruled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.RequirementStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvidenceTest {
    @Test
    void evidenceOnceAttachedStaysForLaterMoves() {
        LifecycleScenario lifecycleScenario =
                GardenProcess.in("idea").perform(attach(EVE, PLAN)).perform(move(MO, "digging"));
        assertThat(lifecycleScenario.perform(move(MO, "council")).state()).isEqualTo("council");
    }

    @Test
    void aReasonCountsOnlyForTheMoveItComesWith() {
        LifecycleScenario lifecycleScenario = GardenProcess.in("council").perform(move(MO, "digging", REASON));
        assertThat(lifecycleScenario.expectRefused(move(MO, "fallow")).unmetRequirements())
                .extracting(RequirementStatus::description)
                .containsExactly("a reason");
        assertThat(lifecycleScenario.expectRefused(attach(MO, REASON)).message())
                .isEqualTo("'reason' is valid for one move only. Give it together with that move.");
    }

    @Test
    void evidenceThatLastsForAStateIsGoneWhenTheStateIsLeft() {
        LifecycleScenario dug = GardenProcess.in("digging").perform(attach(ADA, DUG));
        assertThat(dug.guidance(ADA).mustAct()).extracting(h -> h.party()).containsExactly(new Person("mo"));
        LifecycleScenario back = dug.perform(move(MO, "council", PLAN)).perform(move(MO, "digging", REASON));
        assertThat(back.guidance(ADA).mustAct()).extracting(h -> h.party()).containsExactly(new Person("ada"));
    }

    @Test
    void anyOneOfSeveralWillDo() {
        LifecycleRefusal refusal =
                ruled(GardenProcess.in("council"), "shelved").expectRefused(move(SAM, "shelved", REASON));
        assertThat(refusal.unmetRequirements())
                .containsExactly(new RequirementStatus(
                        "the day of the next review or the event to wait for",
                        false,
                        "season: a date such as 2026-03-31, or omen: text",
                        List.of("season", "omen"),
                        "the day of the next review or the event to wait for is missing"
                                + " (season: a date such as 2026-03-31, or omen: text)"));
        assertThat(ruled(GardenProcess.in("council"), "shelved")
                        .perform(move(SAM, "shelved", REASON, new Evidence("omen", "swallows")))
                        .state())
                .isEqualTo("shelved");
    }

    @Test
    void evidenceMayBeNeededOnlyOfSomeProposals() {
        // Ada's bed is on the roof; a proposal without the attribute defaults to the ground.
        assertThat(ruled(GardenProcess.in("council"), "growing")
                        .expectRefused(move(SAM, "growing"))
                        .unmetRequirements())
                .extracting(RequirementStatus::evidenceKinds)
                .containsExactly(List.of("seeds", "no-seeds"));
        LifecycleScenario ground = new LifecycleScenario()
                .perform(GardenProcess.submit(ADA, Map.of()))
                .perform(move(MO, "digging"))
                .perform(move(MO, "council", PLAN));
        assertThat(ruled(ground, "growing").perform(move(SAM, "growing")).state())
                .isEqualTo("growing");
    }

    @Test
    void sayingWhyThereIsNoneWillDoWhereTheProcessSaysSo() {
        assertThat(ruled(GardenProcess.in("council"), "growing")
                        .perform(move(SAM, "growing", new Evidence("no-seeds", "it is a graft")))
                        .state())
                .isEqualTo("growing");
    }

    @Test
    void aDateReachedOpensTheWay() {
        LifecycleScenario shelved = GardenProcess.in("shelved");
        assertThat(shelved.onDay(49).expectRefused(move(SAM, "growing")).code()).isEqualTo("missing");
        assertThat(shelved.onDay(50).perform(move(SAM, "growing")).state()).isEqualTo("growing");
    }

    @Test
    void aLinkMustBeALinkAndADateADate() {
        LifecycleScenario lifecycleScenario = GardenProcess.in("digging");
        for (String bad : List.of("soon", "ftp://x.example/y", "https://", "http:// x", "javascript:alert(1)")) {
            assertThat(lifecycleScenario
                            .expectRefused(move(MO, "council", new Evidence("plan", bad)))
                            .message())
                    .isEqualTo(
                            "'" + bad + "' is not valid for 'plan'. Use a link that begins with http:// or https://.");
        }
        assertThat(GardenProcess.in("council")
                        .expectRefused(move(SAM, "shelved", REASON, new Evidence("season", "in spring")))
                        .message())
                .isEqualTo("'in spring' is not valid for 'season'. Use a date such as 2026-03-31.");
    }

    @Test
    void evidenceMayBeForSomeToGiveOnly() {
        LifecycleRefusal refusal = GardenProcess.in("digging").expectRefused(attach(MO, DUG));
        assertThat(refusal.message()).isEqualTo("Only the gardener (ada) can give 'dug'.");
        assertThat(refusal.whoMay()).containsExactly(new Person("ada"));
    }

    @Test
    void aTallyCannotBeGiven() {
        assertThat(GardenProcess.in("council")
                        .expectRefused(attach(SAM, new Evidence("vote", "all of us")))
                        .message())
                .isEqualTo("'vote' is the result of the vote and cannot be given.");
    }

    @Test
    void aNeedMayAskForWhatIsGivenInThisStateAndCallItItself() {
        LifecycleEngine strict = GardenProcess.with(
                "needs: [{fact: reachable}, plan]", "needs: [{fact: reachable}, {here: plan, says: a plan made here}]");
        LifecycleScenario earlier =
                GardenProcess.in("idea").perform(attach(EVE, PLAN)).perform(move(MO, "digging"));
        assertThat(strict.explain(earlier.history(), MO, "council", GardenProcess.KNOWN, earlier.now())
                        .unmetRequirements())
                .containsExactly(new RequirementStatus(
                        "a plan made here",
                        false,
                        "plan: a link that begins with http:// or https://",
                        List.of("plan"),
                        "a plan made here is missing (plan: a link that begins with http:// or https://)"));
        LifecycleScenario now = earlier.perform(attach(EVE, PLAN));
        assertThat(strict.explain(now.history(), MO, "council", GardenProcess.KNOWN, now.now())
                        .isPossible())
                .isTrue();
    }

    @Test
    void aDayToWaitForIsNeitherPastNorOutOfReach() {
        LifecycleScenario council = GardenProcess.in("council");
        for (String bad : List.of("1999-12-31", "2026-02-28", "2036-03-02", "+999999999-12-31")) {
            assertThat(council.expectRefused(move(SAM, "shelved", REASON, new Evidence("season", bad))))
                    .extracting(LifecycleRefusal::code, LifecycleRefusal::message)
                    .containsExactly(
                            "bad-evidence",
                            "'" + bad + "' is not valid for 'season'."
                                    + " Use a date from today (2026-03-01) to 10 years ahead.");
        }
        for (String good : List.of("2026-03-01", "2036-03-01")) {
            assertThat(ruled(council, "shelved")
                            .perform(move(SAM, "shelved", REASON, new Evidence("season", good)))
                            .state())
                    .isEqualTo("shelved");
        }
    }

    @Test
    void aNeedMayAskForWhatComesWithTheMoveItself() {
        LifecycleEngine strict =
                GardenProcess.with("needs: [{fact: reachable}, plan]", "needs: [{fact: reachable}, {with: plan}]");
        LifecycleScenario attached = GardenProcess.in("digging").perform(attach(EVE, PLAN));
        assertThat(strict.explain(attached.history(), MO, "council", GardenProcess.KNOWN, attached.now())
                        .isPossible())
                .isFalse();
        assertThat(strict.decide(attached.history(), move(MO, "council", PLAN), GardenProcess.KNOWN, attached.now()))
                .isInstanceOf(LifecycleCommandResult.Accepted.class);
    }
}
