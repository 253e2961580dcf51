package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.Garden.ADA;
import static dev.gavel.lifecycle.Garden.EVE;
import static dev.gavel.lifecycle.Garden.MO;
import static dev.gavel.lifecycle.Garden.PLAN;
import static dev.gavel.lifecycle.Garden.REASON;
import static dev.gavel.lifecycle.Garden.SAM;
import static dev.gavel.lifecycle.Garden.attach;
import static dev.gavel.lifecycle.Garden.move;
import static dev.gavel.lifecycle.Garden.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.answer.Requirement;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Person;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RefusalTest {
    @Test
    void aRefusedMoveNamesWhoMayMakeIt() {
        Refusal refusal = Garden.in("digging").refused(move(EVE, "council", PLAN));
        assertThat(refusal.code()).isEqualTo("not-allowed");
        assertThat(refusal.whoMay()).containsExactly(new Person("mo"), new Group("steward"));
        assertThat(refusal.message()).isEqualTo("Only the mentor (mo) or a steward may move it to council.");
    }

    @Test
    void aRefusedMoveNamesAllThatIsMissingAndWhatWouldBeAccepted() {
        Circumstances dry = Garden.KNOWN.without("reachable", "4 metres are missing");
        Refusal refusal = Garden.in("digging").given(dry).refused(move(MO, "council"));
        assertThat(refusal.code()).isEqualTo("missing");
        assertThat(refusal.missing())
                .containsExactly(
                        new Requirement("the hose reaches the bed", false, "4 metres are missing", List.of()),
                        new Requirement(
                                "a plan of the bed",
                                false,
                                "plan: a link that begins with http:// or https://",
                                List.of("plan")));
        assertThat(refusal.message())
                .isEqualTo("To council it still needs: the hose reaches the bed (4 metres are missing);"
                        + " a plan of the bed (plan: a link that begins with http:// or https://).");
    }

    @Test
    void whoeverMayNotMoveItHearsOfWhatIsMissingToo() {
        Refusal refusal = Garden.in("digging").refused(move(EVE, "council"));
        assertThat(refusal.missing()).extracting(Requirement::kinds).containsExactly(List.of("plan"));
    }

    @Test
    void explainingSaysWhatTryingWouldSay() {
        Story story = Garden.in("digging");
        for (Actor actor : List.of(ADA, MO, SAM, EVE)) {
            for (String target : List.of("council", "growing", "gone", "cuoncil")) {
                Refusal refusal = story.refused(move(actor, target));
                Prospect prospect = story.explain(actor, target);
                assertThat(prospect.sentence()).isEqualTo(refusal.message());
                assertThat(prospect.whoMay()).isEqualTo(refusal.whoMay());
                assertThat(prospect.missing()).isEqualTo(refusal.missing());
            }
        }
    }

    @Test
    void aMoveThatCanBeMadeIsExplainedAsSuch() {
        Prospect prospect = Garden.in("idea").explain(MO, "digging");
        assertThat(prospect.possible()).isTrue();
        assertThat(prospect.sentence()).isEqualTo("You may move it to digging now.");
    }

    @Test
    void aFactNobodyVouchesForDoesNotHold() {
        Refusal refusal = new Story().given(Circumstances.unknown()).refused(submit(ADA, Map.of()));
        assertThat(refusal.missing())
                .containsExactly(
                        new Requirement("it says what is to grow where", false, "not known to be so", List.of()));
    }

    @Test
    void submittingIsExplainedBeforeAnythingIsSubmitted() {
        Prospect prospect = Garden.LIFECYCLE.explainSubmitting(
                ADA, Map.of(), Circumstances.unknown().without("sketched", "no sketch"), Garden.day(0));
        assertThat(prospect.youMay()).isTrue();
        assertThat(prospect.missing()).extracting(Requirement::accepts).containsExactly("no sketch");
    }

    @Test
    void aMoveThatDoesNotExistIsRefusedWithThoseThatDo() {
        assertThat(Garden.in("digging").refused(move(MO, "growing")).message())
                .isEqualTo("No move leads from digging to growing. From digging it can go to council, fallow or gone.");
    }

    @Test
    void aMistypedStateIsRefusedWithTheOneThatWasMeant() {
        assertThat(Garden.in("idea").refused(move(MO, "diging")))
                .isEqualTo(Refusal.of("unknown-state", "There is no state 'diging'; did you mean 'digging'?"));
    }

    @Test
    void nothingButCommentsHappensAfterTheEnd() {
        Story end = Garden.in("composted");
        assertThat(end.refused(move(SAM, "idea")).code()).isEqualTo("ended");
        assertThat(end.refused(attach(ADA, PLAN)).code()).isEqualTo("ended");
        assertThat(end.refused(new Command.Take(MO, "mentor", List.of())).code())
                .isEqualTo("ended");
        assertThat(end.does(new Command.Comment(ADA, "What a pity.")).state()).isEqualTo("composted");
    }

    @Test
    void aProposalBeginsOnceAndBeforeAnythingElse() {
        assertThat(new Story().refused(move(MO, "digging")).code()).isEqualTo("wrong-time");
        assertThat(Garden.in("idea").refused(submit(ADA, Map.of())).code()).isEqualTo("wrong-time");
    }

    @Test
    void anAttributeMustBeKnownAndHaveOneOfItsValues() {
        assertThat(new Story().refused(submit(ADA, Map.of("bed", "feather"))).message())
                .isEqualTo("'bed' cannot be 'feather', only raised, ground or roof.");
        assertThat(new Story().refused(submit(ADA, Map.of("colour", "green"))).code())
                .isEqualTo("bad-attribute");
    }

    @Test
    void onlyThoseTheProcessNamesMayEditOrAsk() {
        Story story = Garden.in("digging");
        assertThat(story.refused(new Command.Edit(EVE, Map.of())).message())
                .isEqualTo("Only the gardener (ada) or the mentor (mo) may change it.");
        assertThat(story.refused(new Command.Ask(EVE, new Person("mo"), "When?"))
                        .code())
                .isEqualTo("not-allowed");
        assertThat(story.does(new Command.Edit(MO, Map.of("bed", "raised")))
                        .standing()
                        .attributes())
                .containsEntry("bed", "raised")
                .containsEntry("plant", "beans");
    }

    @Test
    void aRoleHeldInAProposalCannotBeBroughtAlong() {
        Actor liar = Actor.of("eve", "gardener", "mentor");
        assertThat(Garden.in("digging").refused(move(liar, "gone", REASON)).code())
                .isEqualTo("not-allowed");
    }

    @Test
    void evidenceNobodyKnowsIsRefusedWithWhatWasMeant() {
        assertThat(Garden.in("digging")
                        .refused(attach(MO, new Evidence("paln", "https://x.example")))
                        .message())
                .isEqualTo("There is no evidence called 'paln'; did you mean 'plan'?");
    }

    @Test
    void aMoveThatWaitsForTimeSaysUntilWhen() {
        Story idea = Garden.in("idea").on(55).does(new Command.Comment(ADA, "Anybody?"));
        assertThat(idea.refused(move(SAM, "fallow")).missing())
                .containsExactly(
                        new Requirement("nobody has been the mentor for 60 days", false, "2026-04-30", List.of()),
                        new Requirement("nothing from the gardener for 14 days", false, "2026-05-09", List.of()));
        assertThat(idea.on(60).refused(move(SAM, "fallow")).missing())
                .extracting(Requirement::accepts)
                .containsExactly("2026-05-09");
        assertThat(idea.on(69).does(move(SAM, "fallow")).state()).isEqualTo("fallow");
    }

    @Test
    void aMoveThatWaitsForADateSaysWhich() {
        assertThat(Garden.in("shelved").refused(move(SAM, "growing")).missing())
                .extracting(Requirement::says, Requirement::accepts)
                .containsExactly(tuple(
                        "the date has come: the day to look at it again or the stewards' ruling",
                        "2026-04-20, or ruling: in words"));
    }

    @Test
    void everySpanIsSaidInItsLargestUnit() {
        assertThat(List.of(Duration.ofDays(1), Duration.ofHours(36), Duration.ofMinutes(15), Duration.ofSeconds(90)))
                .extracting(Words::span)
                .containsExactly("1 day", "36 hours", "15 minutes", "90 seconds");
    }

    @Test
    void aStateThatIsNoneOfTheProcessIsAnErrorOfTheCaller() {
        History elsewhere = History.of(List.of(
                new Event.Submitted(Garden.day(0), ADA, "orchard", "gardener", List.of(ADA.person()), Map.of())));
        assertThatThrownBy(() -> Garden.LIFECYCLE.guidance(elsewhere, ADA, Garden.KNOWN, Garden.day(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the process garden has no state 'orchard'");
    }

    @Test
    void whatIsSettledCannotBeChanged() {
        assertThat(Garden.in("thriving").refused(new Command.Edit(ADA, Map.of("plant", "peas"))))
                .isEqualTo(Refusal.of(
                        "settled", "It is thriving, and that is settled: nothing of it can be changed any more."));
        assertThat(Garden.in("fallow")
                        .does(new Command.Edit(ADA, Map.of("plant", "peas", "bed", "raised")))
                        .standing()
                        .attributes())
                .as("its gardener may wake it")
                .containsEntry("plant", "peas")
                .containsEntry("bed", "raised");
    }

    @Test
    void whatRulesDependOnStaysWhileItIsVotedOnAndOnceItIsDecided() {
        assertThat(Garden.in("council")
                        .refused(new Command.Edit(ADA, Map.of("bed", "ground")))
                        .message())
                .isEqualTo("'bed' cannot be changed from roof to ground while it is council:"
                        + " it is being voted on as it is.");
        assertThat(Garden.in("growing").refused(new Command.Edit(ADA, Map.of("bed", "ground"))))
                .isEqualTo(
                        Refusal.of(
                                "settled",
                                "'bed' cannot be changed from roof to ground while it is growing: it was decided on as it is."));
        for (String state : List.of("council", "growing")) {
            assertThat(Garden.in(state)
                            .does(new Command.Edit(ADA, Map.of("plant", "peas", "bed", "ROOF")))
                            .standing()
                            .attributes())
                    .containsEntry("plant", "peas");
        }
        for (String state : List.of("idea", "digging", "shelved")) {
            assertThat(Garden.in(state)
                            .does(new Command.Edit(ADA, Map.of("bed", "ground")))
                            .standing()
                            .attributes())
                    .containsEntry("bed", "ground");
        }
    }
}
