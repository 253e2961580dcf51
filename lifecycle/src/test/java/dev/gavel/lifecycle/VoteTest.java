package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.GardenProcess.ADA;
import static dev.gavel.lifecycle.GardenProcess.MO;
import static dev.gavel.lifecycle.GardenProcess.REASON;
import static dev.gavel.lifecycle.GardenProcess.SAM;
import static dev.gavel.lifecycle.GardenProcess.SEEDS;
import static dev.gavel.lifecycle.GardenProcess.SOL;
import static dev.gavel.lifecycle.GardenProcess.SUE;
import static dev.gavel.lifecycle.GardenProcess.attach;
import static dev.gavel.lifecycle.GardenProcess.move;
import static dev.gavel.lifecycle.GardenProcess.ruled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.VoteRound;
import dev.gavel.lifecycle.process.VoteFraction;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VoteTest {
    private final LifecycleScenario council = GardenProcess.in("council").perform(attach(ADA, SEEDS));

    private static LifecycleCommand vote(Actor by, BallotChoice ballotChoice) {
        return new LifecycleCommand.Vote(
                by, ballotChoice, ballotChoice == BallotChoice.CONCERN ? "too much shade" : "");
    }

    @Test
    void aVoteCarriesWithItsQuorumAMajorityAndNoOpenConcern() {
        LifecycleScenario one = council.perform(vote(SAM, BallotChoice.YES));
        assertThat(one.expectRefused(move(SAM, "growing"))
                        .unmetRequirements()
                        .getFirst()
                        .detail())
                .isEqualTo("the vote has not carried (1 yes, 0 no, 0 abstaining; 1 voted, 2 needed);"
                        + " to record a decision made in another way, give the evidence ruling='growing: …'");
        LifecycleScenario two = one.perform(vote(SUE, BallotChoice.ABSTAIN));
        assertThat(two.perform(move(SAM, "growing")).state()).isEqualTo("growing");
    }

    @Test
    void asManyNoAsYesIsNoMajority() {
        LifecycleScenario tied = council.perform(vote(SAM, BallotChoice.YES)).perform(vote(SUE, BallotChoice.NO));
        assertThat(tied.expectRefused(move(SAM, "growing")).code()).isEqualTo("missing");
    }

    @Test
    void anOpenConcernStopsItUntilItsRaiserVotesOtherwise() {
        LifecycleScenario concerned = council.perform(vote(SAM, BallotChoice.YES))
                .perform(vote(SUE, BallotChoice.YES))
                .perform(vote(SOL, BallotChoice.CONCERN));
        assertThat(concerned.expectRefused(move(SAM, "growing")).message()).contains("open concern of sol");
        assertThat(concerned
                        .perform(vote(SOL, BallotChoice.ABSTAIN))
                        .perform(move(SAM, "growing"))
                        .state())
                .isEqualTo("growing");
    }

    @Test
    void theTallyGoesWithTheMoveAsEvidence() {
        LifecycleScenario lifecycleScenario =
                council.perform(vote(SAM, BallotChoice.YES)).perform(vote(SUE, BallotChoice.YES));
        assertThat(lifecycleScenario
                        .expectAccepted(move(SAM, "growing"))
                        .events()
                        .getFirst())
                .isInstanceOfSatisfying(
                        LifecycleEvent.Moved.class,
                        moved -> assertThat(moved.evidence())
                                .containsExactly(new Evidence("vote", "2 yes, 0 no, 0 abstaining; 2 voted, 2 needed")));
    }

    @Test
    void aRecordedRulingWillDoInsteadWhereTheProcessSaysSo() {
        assertThat(ruled(council, "growing").perform(move(SAM, "growing")).state())
                .isEqualTo("growing");
    }

    @Test
    void onlyThoseWhoVoteVoteAndOnlyWhereThereIsAVote() {
        assertThat(council.expectRefused(vote(MO, BallotChoice.YES)).message()).isEqualTo("Only a steward can vote.");
        assertThat(GardenProcess.in("idea")
                        .expectRefused(vote(SAM, BallotChoice.YES))
                        .message())
                .isEqualTo("There is no vote in the state `idea`, only in `council`.");
        assertThat(council.expectRefused(new LifecycleCommand.Vote(SAM, BallotChoice.CONCERN, " "))
                        .code())
                .isEqualTo("missing");
    }

    @Test
    void aHoldParksTheDecisionWithoutLosingVotes() {
        LifecycleScenario held = council.perform(vote(SAM, BallotChoice.YES))
                .perform(vote(SUE, BallotChoice.YES))
                .perform(new LifecycleCommand.Hold(SUE, "frost"));
        assertThat(held.expectRefused(move(SAM, "growing")).code()).isEqualTo("hold");
        assertThat(held.expectRefused(move(SAM, "composted", REASON)).message())
                .isEqualTo("The decision has been on hold since 2026-03-01 (frost). Only a steward can resume it.");
        assertThat(held.guidance(ADA).status())
                .isEqualTo("council since 2026-03-01: the stewards decide."
                        + " The decision has been on hold since 2026-03-01: frost.");
        assertThat(held.perform(new LifecycleCommand.Release(SAM, "thaw"))
                        .perform(move(SAM, "growing"))
                        .state())
                .isEqualTo("growing");
        assertThat(held.perform(move(MO, "digging", REASON)).state())
                .as("what the vote does not decide goes on")
                .isEqualTo("digging");
    }

    @Test
    void whileADecisionIsOnHoldItsClockStandsStillAndThenStartsAnew() {
        LifecycleScenario held = council.onDay(5).perform(new LifecycleCommand.Hold(SUE, "frost"));
        assertThat(held.onDay(90).dueActions()).isEmpty();
        LifecycleScenario released = held.onDay(90).perform(new LifecycleCommand.Release(SUE, "thaw"));
        assertThat(released.onDay(117).dueActions()).isEmpty();
        assertThat(released.onDay(118).dueActions()).hasSize(1);
    }

    @Test
    void holdsAreForThoseTheProcessNamesAndNeedAReason() {
        assertThat(council.expectRefused(new LifecycleCommand.Hold(ADA, "wait")).code())
                .isEqualTo("not-allowed");
        assertThat(council.expectRefused(new LifecycleCommand.Hold(SAM, "")).code())
                .isEqualTo("missing");
        assertThat(council.expectRefused(new LifecycleCommand.Release(SAM, "")).code())
                .isEqualTo("hold");
        assertThat(council.perform(new LifecycleCommand.Hold(SAM, "frost"))
                        .expectRefused(new LifecycleCommand.Hold(SUE, "frost"))
                        .code())
                .isEqualTo("hold");
    }

    @Test
    void leavingTheStateEndsTheRound() {
        LifecycleScenario again = council.perform(vote(SAM, BallotChoice.YES))
                .perform(vote(SUE, BallotChoice.YES))
                .perform(move(MO, "digging", REASON))
                .perform(move(MO, "council"));
        assertThat(again.snapshot().voteRound().ballots()).isEmpty();
    }

    @Test
    void aShareOfThoseWhoCouldVoteCannotBeCountedWithoutKnowingThem() {
        LifecycleScenario unknown = council.withFacts(ExternalFacts.none()).perform(vote(SAM, BallotChoice.YES));
        assertThat(unknown.expectRefused(move(SAM, "growing")).message())
                .contains("1 voted; the number needed is unknown");
    }

    @Test
    void aShareRoundsUpAndAMajorityIsMoreThanTheShare() {
        assertThat(List.of(0, 1, 2, 3, 4, 5).stream().map(new VoteFraction(1, 2)::atLeast))
                .containsExactly(1, 1, 1, 2, 2, 3);
        assertThat(new VoteFraction(1, 2).isExceededBy(1, 2)).isFalse();
        assertThat(new VoteFraction(1, 2).isExceededBy(2, 3)).isTrue();
        assertThat(new VoteFraction(1, 2).isExceededBy(0, 0)).isFalse();
    }

    @Test
    void aProcessMayCountHeadsAndLetConcernsPass() {
        LifecycleScenario voted = council.withFacts(ExternalFacts.none())
                .perform(vote(SAM, BallotChoice.YES))
                .perform(vote(SOL, BallotChoice.CONCERN));
        LifecycleEngine counting = GardenProcess.with("quorum: 1/2", "quorum: 2");
        assertThat(counting.voteTally(voted.history(), voted.externalFacts(), voted.now()))
                .hasValueSatisfying(tally -> assertThat(tally.carried()).isFalse());
        LifecycleEngine noting = GardenProcess.with(
                "quorum: 1/2\n    majority: 1/2\n    concerns: block", "quorum: 2\n    concerns: note");
        assertThat(noting.voteTally(voted.history(), voted.externalFacts(), voted.now()))
                .hasValueSatisfying(tally -> assertThat(tally.carried()).isTrue());
        assertThat(noting.voteTally(GardenProcess.in("idea").history(), GardenProcess.KNOWN, voted.now()))
                .isEmpty();
    }

    @Test
    void onlyVotesOfThoseWhoMayVoteNowCount() {
        LifecycleScenario voted = council.perform(vote(SAM, BallotChoice.YES))
                .perform(vote(SUE, BallotChoice.NO))
                .perform(vote(SOL, BallotChoice.CONCERN));
        LifecycleScenario later = voted.withFacts(GardenProcess.KNOWN.withMembers("steward", "sam", "pam"));
        assertThat(later.perform(move(SAM, "growing")).state()).isEqualTo("growing");
        LifecycleScenario gone = voted.withFacts(GardenProcess.KNOWN.withMembers("steward", "pam"));
        assertThat(GardenProcess.LIFECYCLE
                        .voteTally(gone.history(), gone.externalFacts(), gone.now())
                        .orElseThrow()
                        .votesCast())
                .isZero();
    }

    @Test
    void aSubstantiveEditVoidsAllVotesExceptRecusals() {
        LifecycleScenario edited = council.perform(vote(SAM, BallotChoice.YES))
                .perform(vote(SUE, BallotChoice.YES))
                .perform(vote(SOL, BallotChoice.RECUSE))
                .perform(new LifecycleCommand.Edit(ADA, Map.of("plant", "peas"), Set.of(), Set.of(), false));
        assertThat(words(edited)).isEqualTo("0 yes, 0 no, 0 abstaining; 0 voted, 1 needed; recused: sol");
        assertThat(edited.snapshot().voteRound().voidedBallots())
                .contains(new VoteRound.VoidedBallots(
                        GardenProcess.day(0), ADA.person(), List.of(SAM.person(), SUE.person())));
        assertThat(edited.perform(vote(SUE, BallotChoice.YES))
                        .snapshot()
                        .voteRound()
                        .voidedBallots()
                        .orElseThrow()
                        .voters())
                .containsExactly(SAM.person());
    }

    private static String words(LifecycleScenario lifecycleScenario) {
        return GardenProcess.LIFECYCLE
                .voteTally(lifecycleScenario.history(), lifecycleScenario.externalFacts(), lifecycleScenario.now())
                .orElseThrow()
                .summary();
    }

    @Test
    void whoeverHasVotedIsToldWhatIsNext() {
        LifecycleScenario one = council.perform(vote(SAM, BallotChoice.YES));
        assertThat(one.guidance(SAM).nextStep()).isEqualTo("You have voted; wait for the others.");
        assertThat(one.guidance(SUE).nextStep()).isEqualTo("Vote, or raise a concern.");
        assertThat(one.perform(new LifecycleCommand.Edit(ADA, Map.of(), Set.of(), Set.of(), false))
                        .guidance(SAM)
                        .nextStep())
                .isEqualTo("Your vote is void, because ada changed the text on 2026-03-01. Read the changes and vote"
                        + " again. Vote, or raise a concern.");
        LifecycleScenario two = one.perform(vote(SUE, BallotChoice.YES));
        assertThat(two.guidance(SOL).nextStep()).isEqualTo("The vote carries; let it grow.");
        assertThat(two.guidance(ADA).nextStep()).isEqualTo("Answer the stewards' questions.");
        assertThat(two.perform(new LifecycleCommand.Hold(SOL, "frost"))
                        .guidance(SAM)
                        .nextStep())
                .as("on hold nothing can be moved")
                .isEqualTo("You have voted; wait for the others.");
    }
}
