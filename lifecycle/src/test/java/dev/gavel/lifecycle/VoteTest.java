package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.Garden.ADA;
import static dev.gavel.lifecycle.Garden.MO;
import static dev.gavel.lifecycle.Garden.REASON;
import static dev.gavel.lifecycle.Garden.RULING;
import static dev.gavel.lifecycle.Garden.SAM;
import static dev.gavel.lifecycle.Garden.SEEDS;
import static dev.gavel.lifecycle.Garden.SOL;
import static dev.gavel.lifecycle.Garden.SUE;
import static dev.gavel.lifecycle.Garden.attach;
import static dev.gavel.lifecycle.Garden.move;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.Share;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VoteTest {
    private final Story council = Garden.in("council").does(attach(ADA, SEEDS));

    private static Command vote(Actor by, Ballot ballot) {
        return new Command.Vote(by, ballot, ballot == Ballot.CONCERN ? "too much shade" : "");
    }

    @Test
    void aVoteCarriesWithItsQuorumAMajorityAndNoOpenConcern() {
        Story one = council.does(vote(SAM, Ballot.YES));
        assertThat(one.refused(move(SAM, "growing")).missing().getFirst().accepts())
                .isEqualTo("the vote has not carried (1 yes, 0 no, 0 abstaining; 1 voted, 2 needed);"
                        + " a decision taken otherwise is given as evidence ruling=…");
        Story two = one.does(vote(SUE, Ballot.ABSTAIN));
        assertThat(two.does(move(SAM, "growing")).state()).isEqualTo("growing");
    }

    @Test
    void asManyNoAsYesIsNoMajority() {
        Story tied = council.does(vote(SAM, Ballot.YES)).does(vote(SUE, Ballot.NO));
        assertThat(tied.refused(move(SAM, "growing")).code()).isEqualTo("missing");
    }

    @Test
    void anOpenConcernStopsItUntilItsRaiserVotesOtherwise() {
        Story concerned =
                council.does(vote(SAM, Ballot.YES)).does(vote(SUE, Ballot.YES)).does(vote(SOL, Ballot.CONCERN));
        assertThat(concerned.refused(move(SAM, "growing")).message()).contains("open concern of sol");
        assertThat(concerned
                        .does(vote(SOL, Ballot.ABSTAIN))
                        .does(move(SAM, "growing"))
                        .state())
                .isEqualTo("growing");
    }

    @Test
    void theTallyGoesWithTheMoveAsEvidence() {
        Story story = council.does(vote(SAM, Ballot.YES)).does(vote(SUE, Ballot.YES));
        assertThat(story.accepted(move(SAM, "growing")).events().getFirst())
                .isInstanceOfSatisfying(
                        Event.Moved.class,
                        moved -> assertThat(moved.evidence())
                                .containsExactly(new Evidence("vote", "2 yes, 0 no, 0 abstaining; 2 voted, 2 needed")));
    }

    @Test
    void aRecordedRulingWillDoInsteadWhereTheProcessSaysSo() {
        assertThat(council.does(move(SAM, "growing", RULING)).state()).isEqualTo("growing");
    }

    @Test
    void onlyThoseWhoVoteVoteAndOnlyWhereThereIsAVote() {
        assertThat(council.refused(vote(MO, Ballot.YES)).message()).isEqualTo("Only a steward may vote.");
        assertThat(Garden.in("idea").refused(vote(SAM, Ballot.YES)).message())
                .isEqualTo("There is no vote while it is idea, only while it is council.");
        assertThat(council.refused(new Command.Vote(SAM, Ballot.CONCERN, " ")).code())
                .isEqualTo("missing");
    }

    @Test
    void aHoldParksTheDecisionWithoutLosingVotes() {
        Story held =
                council.does(vote(SAM, Ballot.YES)).does(vote(SUE, Ballot.YES)).does(new Command.Hold(SUE, "frost"));
        assertThat(held.refused(move(SAM, "growing")).code()).isEqualTo("hold");
        assertThat(held.refused(move(SAM, "composted", REASON)).message())
                .isEqualTo("The decision is on hold since 2026-03-01 (frost); a steward may take it up again.");
        assertThat(held.guidance(ADA).status())
                .isEqualTo("council since 2026-03-01: the stewards decide."
                        + " The decision is on hold since 2026-03-01: frost.");
        assertThat(held.does(new Command.Release(SAM, "thaw"))
                        .does(move(SAM, "growing"))
                        .state())
                .isEqualTo("growing");
        assertThat(held.does(move(MO, "digging", REASON)).state())
                .as("what the vote does not decide goes on")
                .isEqualTo("digging");
    }

    @Test
    void whileADecisionIsOnHoldItsClockStandsStillAndThenStartsAnew() {
        Story held = council.on(5).does(new Command.Hold(SUE, "frost"));
        assertThat(held.on(90).due()).isEmpty();
        Story released = held.on(90).does(new Command.Release(SUE, "thaw"));
        assertThat(released.on(117).due()).isEmpty();
        assertThat(released.on(118).due()).hasSize(1);
    }

    @Test
    void holdsAreForThoseTheProcessNamesAndNeedAReason() {
        assertThat(council.refused(new Command.Hold(ADA, "wait")).code()).isEqualTo("not-allowed");
        assertThat(council.refused(new Command.Hold(SAM, "")).code()).isEqualTo("missing");
        assertThat(council.refused(new Command.Release(SAM, "")).code()).isEqualTo("hold");
        assertThat(council.does(new Command.Hold(SAM, "frost"))
                        .refused(new Command.Hold(SUE, "frost"))
                        .code())
                .isEqualTo("hold");
    }

    @Test
    void leavingTheStateEndsTheRound() {
        Story again = council.does(vote(SAM, Ballot.YES))
                .does(vote(SUE, Ballot.YES))
                .does(move(MO, "digging", REASON))
                .does(move(MO, "council"));
        assertThat(again.standing().voting().ballots()).isEmpty();
    }

    @Test
    void aShareOfThoseWhoCouldVoteCannotBeCountedWithoutKnowingThem() {
        Story unknown = council.given(Circumstances.unknown()).does(vote(SAM, Ballot.YES));
        assertThat(unknown.refused(move(SAM, "growing")).message())
                .contains("1 voted; how many are needed is not known");
    }

    @Test
    void aShareRoundsUpAndAMajorityIsMoreThanTheShare() {
        assertThat(List.of(0, 1, 2, 3, 4, 5).stream().map(new Share(1, 2)::atLeast))
                .containsExactly(1, 1, 1, 2, 2, 3);
        assertThat(new Share(1, 2).exceededBy(1, 2)).isFalse();
        assertThat(new Share(1, 2).exceededBy(2, 3)).isTrue();
        assertThat(new Share(1, 2).exceededBy(0, 0)).isFalse();
    }

    @Test
    void aProcessMayCountHeadsAndLetConcernsPass() {
        Story voted = council.given(Circumstances.unknown())
                .does(vote(SAM, Ballot.YES))
                .does(vote(SOL, Ballot.CONCERN));
        Lifecycle counting = Garden.with("quorum: 1/2", "quorum: 2");
        assertThat(counting.tally(voted.history(), voted.circumstances(), voted.now()))
                .hasValueSatisfying(tally -> assertThat(tally.carried()).isFalse());
        Lifecycle noting =
                Garden.with("quorum: 1/2\n    majority: 1/2\n    concerns: block", "quorum: 2\n    concerns: note");
        assertThat(noting.tally(voted.history(), voted.circumstances(), voted.now()))
                .hasValueSatisfying(tally -> assertThat(tally.carried()).isTrue());
        assertThat(noting.tally(Garden.in("idea").history(), Garden.KNOWN, voted.now()))
                .isEmpty();
    }

    @Test
    void onlyVotesOfThoseWhoMayVoteNowCount() {
        Story voted =
                council.does(vote(SAM, Ballot.YES)).does(vote(SUE, Ballot.NO)).does(vote(SOL, Ballot.CONCERN));
        Story later = voted.given(Garden.KNOWN.withMembers("steward", "sam", "pam"));
        assertThat(later.does(move(SAM, "growing")).state()).isEqualTo("growing");
        Story gone = voted.given(Garden.KNOWN.withMembers("steward", "pam"));
        assertThat(Garden.LIFECYCLE
                        .tally(gone.history(), gone.circumstances(), gone.now())
                        .orElseThrow()
                        .voted())
                .isZero();
    }

    @Test
    void theTallySaysThatTheTextHasChangedSince() {
        Story edited = council.does(vote(SAM, Ballot.YES))
                .does(vote(SUE, Ballot.YES))
                .does(new Command.Edit(ADA, Map.of("plant", "peas")));
        assertThat(words(edited))
                .isEqualTo("2 yes, 0 no, 0 abstaining; 2 voted, 2 needed; the text has changed since 2 of them voted");
        assertThat(words(edited.does(vote(SUE, Ballot.YES)))).endsWith("the text has changed since 1 of them voted");
        assertThat(words(edited.does(vote(SUE, Ballot.YES)).does(vote(SAM, Ballot.YES))))
                .endsWith("2 needed");
    }

    private static String words(Story story) {
        return Garden.LIFECYCLE
                .tally(story.history(), story.circumstances(), story.now())
                .orElseThrow()
                .words();
    }

    @Test
    void whoeverHasVotedIsToldWhatIsNext() {
        Story one = council.does(vote(SAM, Ballot.YES));
        assertThat(one.guidance(SAM).nextStep()).isEqualTo("You have voted; wait for the others.");
        assertThat(one.guidance(SUE).nextStep()).isEqualTo("Vote, or raise a concern.");
        assertThat(one.does(new Command.Edit(ADA, Map.of())).guidance(SAM).nextStep())
                .as("the text is another")
                .isEqualTo("Vote, or raise a concern.");
        Story two = one.does(vote(SUE, Ballot.YES));
        assertThat(two.guidance(SOL).nextStep()).isEqualTo("The vote carries; let it grow.");
        assertThat(two.guidance(ADA).nextStep()).isEqualTo("Answer the stewards' questions.");
        assertThat(two.does(new Command.Hold(SOL, "frost")).guidance(SAM).nextStep())
                .as("on hold nothing can be moved")
                .isEqualTo("You have voted; wait for the others.");
    }
}
