package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.Garden.ADA;
import static dev.gavel.lifecycle.Garden.DUG;
import static dev.gavel.lifecycle.Garden.EVE;
import static dev.gavel.lifecycle.Garden.MO;
import static dev.gavel.lifecycle.Garden.PLAN;
import static dev.gavel.lifecycle.Garden.REASON;
import static dev.gavel.lifecycle.Garden.RULING;
import static dev.gavel.lifecycle.Garden.SAM;
import static dev.gavel.lifecycle.Garden.attach;
import static dev.gavel.lifecycle.Garden.move;
import static dev.gavel.lifecycle.Garden.season;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.answer.Requirement;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Person;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvidenceTest {
    @Test
    void evidenceOnceAttachedStaysForLaterMoves() {
        Story story = Garden.in("idea").does(attach(EVE, PLAN)).does(move(MO, "digging"));
        assertThat(story.does(move(MO, "council")).state()).isEqualTo("council");
    }

    @Test
    void aReasonCountsOnlyForTheMoveItComesWith() {
        Story story = Garden.in("council").does(move(MO, "digging", REASON));
        assertThat(story.refused(move(MO, "fallow")).missing())
                .extracting(Requirement::says)
                .containsExactly("the reason");
        assertThat(story.refused(attach(MO, REASON)).message())
                .isEqualTo("'reason' counts only for the move it comes with; give it then.");
    }

    @Test
    void evidenceThatLastsForAStateIsGoneWhenTheStateIsLeft() {
        Story dug = Garden.in("digging").does(attach(ADA, DUG));
        assertThat(dug.guidance(ADA).mustAct()).extracting(h -> h.who()).containsExactly(new Person("mo"));
        Story back = dug.does(move(MO, "council", PLAN)).does(move(MO, "digging", REASON));
        assertThat(back.guidance(ADA).mustAct()).extracting(h -> h.who()).containsExactly(new Person("ada"));
    }

    @Test
    void anyOneOfSeveralWillDo() {
        Refusal refusal = Garden.in("council").refused(move(SAM, "shelved", REASON));
        assertThat(refusal.missing())
                .containsExactly(new Requirement(
                        "the day to look at it again or what to wait for",
                        false,
                        "season: a date such as 2026-03-31, or omen: in words",
                        List.of("season", "omen")));
        assertThat(Garden.in("council")
                        .does(move(SAM, "shelved", REASON, new Evidence("omen", "swallows")))
                        .state())
                .isEqualTo("shelved");
    }

    @Test
    void evidenceMayBeNeededOnlyOfSomeProposals() {
        // Ada's bed is on the roof; one that says nothing is in the ground.
        assertThat(Garden.in("council").refused(move(SAM, "growing", RULING)).missing())
                .extracting(Requirement::kinds)
                .containsExactly(List.of("seeds", "no-seeds"));
        Story ground = new Story()
                .does(Garden.submit(ADA, Map.of()))
                .does(move(MO, "digging"))
                .does(move(MO, "council", PLAN));
        assertThat(ground.does(move(SAM, "growing", RULING)).state()).isEqualTo("growing");
    }

    @Test
    void sayingWhyThereIsNoneWillDoWhereTheProcessSaysSo() {
        assertThat(Garden.in("council")
                        .does(move(SAM, "growing", RULING, new Evidence("no-seeds", "it is a graft")))
                        .state())
                .isEqualTo("growing");
    }

    @Test
    void aDateReachedOpensTheWay() {
        Story shelved = Garden.in("council").does(move(SAM, "shelved", REASON, season(50)));
        assertThat(shelved.on(49).refused(move(SAM, "growing")).code()).isEqualTo("missing");
        assertThat(shelved.on(50).does(move(SAM, "growing")).state()).isEqualTo("growing");
    }

    @Test
    void aLinkMustBeALinkAndADateADate() {
        Story story = Garden.in("digging");
        for (String bad : List.of("soon", "ftp://x.example/y", "https://", "http:// x", "javascript:alert(1)")) {
            assertThat(story.refused(move(MO, "council", new Evidence("plan", bad)))
                            .message())
                    .isEqualTo("'" + bad
                            + "' will not do as 'plan': it must be a link that begins with http:// or https://.");
        }
        assertThat(Garden.in("council")
                        .refused(move(SAM, "shelved", REASON, new Evidence("season", "in spring")))
                        .message())
                .isEqualTo("'in spring' will not do as 'season': it must be a date such as 2026-03-31.");
    }

    @Test
    void evidenceMayBeForSomeToGiveOnly() {
        Refusal refusal = Garden.in("digging").refused(attach(MO, DUG));
        assertThat(refusal.message()).isEqualTo("Only the gardener (ada) may give 'dug'.");
        assertThat(refusal.whoMay()).containsExactly(new Person("ada"));
    }

    @Test
    void aTallyCannotBeGiven() {
        assertThat(Garden.in("council")
                        .refused(attach(SAM, new Evidence("vote", "all of us")))
                        .message())
                .isEqualTo("Only voting makes 'vote'; it cannot be given.");
    }

    @Test
    void aNeedMayAskForWhatIsGivenInThisStateAndCallItItself() {
        Lifecycle strict = Garden.with(
                "needs: [{fact: reachable}, plan]", "needs: [{fact: reachable}, {here: plan, says: a plan made here}]");
        Story earlier = Garden.in("idea").does(attach(EVE, PLAN)).does(move(MO, "digging"));
        assertThat(strict.explain(earlier.history(), MO, "council", Garden.KNOWN, earlier.now())
                        .missing())
                .containsExactly(new Requirement(
                        "a plan made here",
                        false,
                        "plan: a link that begins with http:// or https://",
                        List.of("plan")));
        Story now = earlier.does(attach(EVE, PLAN));
        assertThat(strict.explain(now.history(), MO, "council", Garden.KNOWN, now.now())
                        .possible())
                .isTrue();
    }

    @Test
    void aDayToWaitForIsNeitherPastNorOutOfReach() {
        Story council = Garden.in("council");
        for (String bad : List.of("1999-12-31", "2026-02-28", "2036-03-02", "+999999999-12-31")) {
            assertThat(council.refused(move(SAM, "shelved", REASON, new Evidence("season", bad))))
                    .extracting(Refusal::code, Refusal::message)
                    .containsExactly(
                            "bad-evidence",
                            "'" + bad + "' will not do as 'season':"
                                    + " it must be a day from today (2026-03-01) to 10 years ahead.");
        }
        for (String good : List.of("2026-03-01", "2036-03-01")) {
            assertThat(council.does(move(SAM, "shelved", REASON, new Evidence("season", good)))
                            .state())
                    .isEqualTo("shelved");
        }
    }

    @Test
    void aNeedMayAskForWhatComesWithTheMoveItself() {
        Lifecycle strict = Garden.with("needs: [{fact: reachable}, plan]", "needs: [{fact: reachable}, {with: plan}]");
        Story attached = Garden.in("digging").does(attach(EVE, PLAN));
        assertThat(strict.explain(attached.history(), MO, "council", Garden.KNOWN, attached.now())
                        .possible())
                .isFalse();
        assertThat(strict.decide(attached.history(), move(MO, "council", PLAN), Garden.KNOWN, attached.now()))
                .isInstanceOf(Decision.Accepted.class);
    }
}
