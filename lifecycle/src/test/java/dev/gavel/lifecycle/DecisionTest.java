package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.GardenProcess.ADA;
import static dev.gavel.lifecycle.GardenProcess.ELI;
import static dev.gavel.lifecycle.GardenProcess.MO;
import static dev.gavel.lifecycle.GardenProcess.REASON;
import static dev.gavel.lifecycle.GardenProcess.SAM;
import static dev.gavel.lifecycle.GardenProcess.SEEDS;
import static dev.gavel.lifecycle.GardenProcess.SOL;
import static dev.gavel.lifecycle.GardenProcess.SUE;
import static dev.gavel.lifecycle.GardenProcess.attach;
import static dev.gavel.lifecycle.GardenProcess.confirm;
import static dev.gavel.lifecycle.GardenProcess.move;
import static dev.gavel.lifecycle.GardenProcess.ruled;
import static dev.gavel.lifecycle.GardenProcess.ruling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.PendingConfirmation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests who may decide on a proposal, and that votes and decisions are about one text. */
class DecisionTest {
    private static final Actor ADA_THE_STEWARD = Actor.of("ada", "steward");

    private final LifecycleScenario council = GardenProcess.in("council").perform(attach(ADA, SEEDS));

    private static LifecycleCommand vote(Actor by, BallotChoice ballotChoice) {
        return new LifecycleCommand.Vote(by, ballotChoice, "so");
    }

    private static LifecycleCommand edit(Actor by, Set<String> sections, Set<String> fields, boolean editorial) {
        return new LifecycleCommand.Edit(by, Map.of(), sections, fields, editorial);
    }

    private static final LifecycleCommand REWRITE = edit(ADA, Set.of("abstract"), Set.of(), false);

    private LifecycleScenario carried() {
        return council.perform(vote(SAM, BallotChoice.YES)).perform(vote(SUE, BallotChoice.YES));
    }

    private LifecycleScenario lost() {
        return council.perform(vote(SAM, BallotChoice.NO)).perform(vote(SUE, BallotChoice.NO));
    }

    // --- edits

    @Test
    void anEditThatTouchesOnlyEditorialPartsVoidsNoVote() {
        for (LifecycleCommand editorial : List.of(
                edit(ADA, Set.of("Shopping-List"), Set.of("greeting"), false),
                edit(ADA, Set.of(), Set.of("Greeting"), false),
                edit(MO, Set.of("abstract"), Set.of(), true),
                edit(SOL, Set.of("abstract"), Set.of("title"), true))) {
            assertThat(carried()
                            .perform(editorial)
                            .perform(move(SAM, "growing"))
                            .state())
                    .isEqualTo("growing");
        }
        for (LifecycleCommand substantive : List.of(
                REWRITE,
                edit(ADA, Set.of("shopping-list", "abstract"), Set.of(), false),
                edit(ADA, Set.of("shopping-list"), Set.of("title"), false),
                edit(ADA, Set.of(), Set.of(), false),
                new LifecycleCommand.Edit(ADA, Map.of("plant", "peas"), Set.of("shopping-list"), Set.of(), false))) {
            assertThat(carried()
                            .perform(substantive)
                            .expectRefused(move(SAM, "growing"))
                            .code())
                    .isEqualTo("missing");
        }
    }

    @Test
    void aProposerCannotDeclareAnEditEditorial() {
        for (Actor author : List.of(ADA, ADA_THE_STEWARD)) {
            assertThat(council.expectRefused(edit(author, Set.of("abstract"), Set.of(), true))
                            .message())
                    .isEqualTo(
                            "Only the mentor (mo) or a steward can declare an edit editorial, and not the gardener.");
        }
        assertThat(council.expectRefused(edit(SAM, Set.of("abstract"), Set.of(), false))
                        .message())
                .isEqualTo("Only the gardener (ada) or the mentor (mo) can edit this proposal.");
    }

    @Test
    void aSubstantiveEditVoidsADecisionOfThisState() {
        LifecycleScenario confirmed = ruled(council, "growing");
        assertThat(confirmed
                        .perform(REWRITE)
                        .expectRefused(move(SAM, "growing"))
                        .message())
                .contains("the text has changed since 'ruling' was given (growing: because); it must be given again");
        LifecycleScenario unconfirmed =
                council.perform(attach(SUE, ruling("growing"))).perform(REWRITE);
        assertThat(unconfirmed.expectRefused(confirm(SOL)).message())
                .isEqualTo("There is no 'ruling' to confirm: the text has changed since it was given."
                        + " It must be given again.");
        assertThat(ruled(confirmed.perform(REWRITE), "growing")
                        .perform(move(SAM, "growing"))
                        .state())
                .isEqualTo("growing");
    }

    @Test
    void afterTheDecisionTheTextIsFixed() {
        LifecycleScenario growing = GardenProcess.in("growing");
        assertThat(growing.expectRefused(REWRITE).message())
                .isEqualTo("The text is fixed in the state `growing`, because it was decided on. The mentor (mo) or a"
                        + " steward can make an edit that does not change the meaning and declare it editorial.");
        growing.perform(edit(ADA, Set.of("shopping-list"), Set.of(), false));
        growing.perform(edit(SAM, Set.of("abstract"), Set.of(), true));
        GardenProcess.in("shelved").perform(REWRITE);
    }

    // --- who decides

    @Test
    void aProposerTakesNoPartInTheDecisionOnTheOwnProposal() {
        LifecycleScenario members =
                council.withFacts(GardenProcess.KNOWN.withMembers("steward", "sam", "sue", "sol", "ada"));
        assertThat(members.expectRefused(vote(ADA_THE_STEWARD, BallotChoice.YES))
                        .message())
                .isEqualTo("A person who is the gardener cannot vote.");
        assertThat(members.expectRefused(attach(ADA_THE_STEWARD, ruling("growing")))
                        .message())
                .isEqualTo("A person who is the gardener cannot give 'ruling'.");
        assertThat(members.perform(attach(SUE, ruling("growing")))
                        .expectRefused(confirm(ADA_THE_STEWARD))
                        .message())
                .isEqualTo("A person who is the gardener cannot confirm 'ruling'.");
        assertThat(ruled(members, "growing")
                        .expectRefused(move(ADA_THE_STEWARD, "growing"))
                        .message())
                .isEqualTo("Only a steward (but no person who is the gardener) can move this proposal to `growing`.");
        assertThat(GardenProcess.in("idea")
                        .expectRefused(move(Actor.of("ada", "member"), "digging"))
                        .message())
                .isEqualTo("Only a member (but no person who is the gardener) can move this proposal to `digging`.");
        assertThat(GardenProcess.in("digging")
                        .perform(new LifecycleCommand.StepDown(MO, "mentor"))
                        .expectRefused(new LifecycleCommand.TakeRole(Actor.of("ada", "member"), "mentor", List.of()))
                        .message())
                .isEqualTo("A person who is the gardener cannot take the role 'mentor'.");
        assertThat(GardenProcess.LIFECYCLE
                        .voteTally(members.history(), members.externalFacts(), members.now())
                        .orElseThrow()
                        .summary())
                .isEqualTo("0 yes, 0 no, 0 abstaining; 0 voted, 2 needed; excluded: ada");
        assertThat(members.guidance(ADA_THE_STEWARD).nextStep())
                .isEqualTo("You take no part in the vote: a person who is the gardener cannot vote."
                        + " Answer the stewards' questions.");
    }

    @Test
    void theSubmitterStaysExcludedAfterTransferringTheProposalButANamedCoAuthorDoesNot() {
        LifecycleScenario given =
                council.perform(new LifecycleCommand.TransferRole(ADA, "gardener", GardenProcess.EVE.person(), false));
        assertThat(given.expectRefused(vote(ADA_THE_STEWARD, BallotChoice.YES)).code())
                .isEqualTo("not-allowed");
        LifecycleScenario named =
                council.perform(new LifecycleCommand.TransferRole(ADA, "gardener", SAM.person(), true));
        assertThat(named.expectRefused(vote(SAM, BallotChoice.NO)).code()).isEqualTo("not-allowed");
        named.perform(new LifecycleCommand.StepDown(SAM, "gardener")).perform(vote(SAM, BallotChoice.NO));
    }

    @Test
    void aMentorWhoBecomesAProposerNoLongerActsAsTheMentor() {
        LifecycleScenario both = GardenProcess.in("digging")
                .perform(new LifecycleCommand.TransferRole(ADA, "gardener", MO.person(), true));
        assertThat(both.expectRefused(move(Actor.of("mo", "member"), "council", GardenProcess.PLAN))
                        .code())
                .isEqualTo("not-allowed");
        both.perform(new LifecycleCommand.TakeRole(GardenProcess.MIA, "mentor", List.of()));
    }

    @Test
    void aProcessMaySwitchTheExclusionOffOrExcludeOthers() {
        LifecycleEngine open =
                GardenProcess.with("    who: steward\n    quorum", "    who: steward\n    not: none\n    quorum");
        assertThat(open.decide(
                        council.history(),
                        vote(ADA_THE_STEWARD, BallotChoice.YES),
                        council.externalFacts(),
                        council.now()))
                .isInstanceOf(LifecycleCommandResult.Accepted.class);
        for (Actor excluded : List.of(ADA, MO)) {
            assertThat(council.expectRefused(attach(excluded, new Evidence("taste", "good")))
                            .message())
                    .endsWith("cannot give 'taste'.");
        }
        council.perform(attach(GardenProcess.MIA, new Evidence("taste", "good")));
    }

    @Test
    void aRecusedVoterCountsNeitherAsAVoterNorForTheQuorum() {
        LifecycleScenario recused = council.perform(vote(SOL, BallotChoice.RECUSE));
        assertThat(recused.perform(vote(SAM, BallotChoice.YES))
                        .perform(move(SAM, "growing"))
                        .state())
                .isEqualTo("growing");
        assertThat(recused.guidance(SOL).nextStep())
                .startsWith("You take no part in the vote, as you decided. You can still vote.");
        assertThat(recused.expectRefused(attach(SOL, ruling("growing"))).message())
                .isEqualTo("A person who takes no part in the vote cannot give 'ruling'.");
        assertThat(ruled(council, "growing")
                        .perform(vote(SOL, BallotChoice.RECUSE))
                        .expectRefused(move(SOL, "growing"))
                        .code())
                .isEqualTo("not-allowed");
        LifecycleScenario allRecused =
                recused.perform(vote(SAM, BallotChoice.RECUSE)).perform(vote(SUE, BallotChoice.RECUSE));
        assertThat(allRecused.expectRefused(move(ELI, "growing")).message()).contains("no eligible voter is left");
    }

    @Test
    void aVoterWhoTakesNoPartIsNotRemindedToVote() {
        LifecycleScenario members = council.withFacts(
                        GardenProcess.KNOWN.withMembers("steward", "sam", "sue", "sol", "ada"))
                .perform(vote(SOL, BallotChoice.RECUSE));
        assertThat(members.onDay(28).dueActions())
                .singleElement()
                .isInstanceOfSatisfying(
                        ClockAction.Reminder.class,
                        reminder -> assertThat(reminder.recipients())
                                .containsExactlyInAnyOrder(SAM.person(), SUE.person()));
    }

    // --- the second person

    @Test
    void aDecisionCountsOnlyWhenAnotherPersonHasConfirmedIt() {
        assertThat(council.expectRefused(move(SUE, "growing", ruling("growing")))
                        .message())
                .contains("'ruling' counts only when a steward other than sue has confirmed it; attach it first");
        LifecycleScenario given = council.perform(attach(SUE, ruling("Planted")));
        assertThat(given.expectRefused(move(SAM, "growing")).message())
                .contains("'ruling' by sue (growing: because) waits until a steward other than sue confirms it");
        assertThat(given.expectRefused(confirm(SUE)).message())
                .isEqualTo("You gave 'ruling' yourself. Another person must confirm it: a steward.");
        assertThat(given.expectRefused(confirm(MO)).message()).isEqualTo("Only a steward can confirm 'ruling'.");
        assertThat(given.expectRefused(new LifecycleCommand.Confirm(SOL, "ruling", Optional.of("growing: other")))
                        .message())
                .isEqualTo("'ruling' is now 'growing: because'. Read it, then confirm it again.");
        LifecycleScenario confirmed =
                given.perform(new LifecycleCommand.Confirm(SOL, "ruling", Optional.of("growing: because")));
        assertThat(confirmed.history().events().getLast())
                .isEqualTo(new LifecycleEvent.EvidenceConfirmed(
                        GardenProcess.day(0),
                        new Actor(SOL.person(), List.of("member", "steward")),
                        "ruling",
                        SUE.person(),
                        "growing: because"));
        assertThat(confirmed.expectRefused(confirm(SAM)).message()).isEqualTo("sol has already confirmed 'ruling'.");
        assertThat(confirmed.perform(move(SUE, "growing")).state()).isEqualTo("growing");
        assertThat(confirmed
                        .perform(attach(SAM, ruling("growing")))
                        .expectRefused(move(SUE, "growing"))
                        .code())
                .as("a new decision needs a new confirmation")
                .isEqualTo("missing");
    }

    @Test
    void onlyEvidenceThatNeedsAConfirmationIsConfirmed() {
        assertThat(council.expectRefused(confirm(SOL)).message()).isEqualTo("There is no 'ruling' to confirm.");
        assertThat(council.expectRefused(new LifecycleCommand.Confirm(SOL, "plan", Optional.empty()))
                        .message())
                .isEqualTo("'plan' needs no confirmation.");
        assertThat(council.expectRefused(new LifecycleCommand.Confirm(SOL, "rulin", Optional.empty()))
                        .message())
                .isEqualTo("Unknown evidence 'rulin'. Did you mean 'ruling'?");
    }

    @Test
    void aDecisionIsForOneState() {
        assertThat(ruled(council, "shelved").expectRefused(move(SAM, "growing")).message())
                .contains("'ruling' does not decide for `growing` (shelved: because)");
        for (String bad : List.of("yes", "growing", "growing:", "nowhere: because", "digging: because")) {
            assertThat(council.expectRefused(attach(SUE, new Evidence("ruling", bad)))
                            .message())
                    .isEqualTo("'" + bad + "' is not valid for 'ruling'. Begin with the state for which it decides"
                            + " (`growing`, `shelved` or `composted`), then write a colon and the text of the"
                            + " decision.");
        }
        assertThat(GardenProcess.in("growing")
                        .expectRefused(attach(SUE, ruling("thriving")))
                        .message())
                .isEqualTo("'ruling' cannot be given in the state `growing`: no move from there needs it.");
    }

    @Test
    void aLostVoteAloneIsEnoughToRejectAndIsRecorded() {
        assertThat(lost().expectAccepted(move(SOL, "composted", REASON))
                        .events()
                        .getFirst())
                .isInstanceOfSatisfying(
                        LifecycleEvent.Moved.class,
                        moved -> assertThat(moved.evidence())
                                .contains(new Evidence("lost-vote", "0 yes, 2 no, 0 abstaining; 2 voted, 2 needed")));
        for (LifecycleScenario open : List.of(
                council,
                carried(),
                council.perform(vote(SAM, BallotChoice.NO)),
                council.perform(vote(SAM, BallotChoice.ABSTAIN)).perform(vote(SUE, BallotChoice.CONCERN)))) {
            assertThat(open.expectRefused(move(SOL, "composted", REASON)).code())
                    .isEqualTo("missing");
        }
    }

    // --- overruling

    @Test
    void aDecisionCannotOverruleAnOpenConcernOrTheVote() {
        LifecycleScenario concerned = ruled(council.perform(vote(SAM, BallotChoice.CONCERN)), "growing");
        assertThat(concerned.expectRefused(move(SUE, "growing")).message())
                .contains(
                        "'ruling' cannot overrule the open concern of sam;" + " only a 'ruling' given by an elder can");
        assertThat(ruled(lost(), "growing").expectRefused(move(SUE, "growing")).message())
                .contains("'ruling' cannot overrule the vote (0 yes, 2 no");
        for (String other : List.of("composted", "shelved")) {
            assertThat(ruled(carried(), other)
                            .expectRefused(move(SUE, other, REASON, GardenProcess.season(50)))
                            .message())
                    .contains("'ruling' cannot overrule the vote (2 yes, 0 no");
        }
        assertThat(ruled(lost(), "shelved")
                        .perform(move(SUE, "shelved", REASON, GardenProcess.season(50)))
                        .state())
                .isEqualTo("shelved");
    }

    @Test
    void aRoleThatTheProcessNamesCanOverruleWithAConfirmation() {
        for (LifecycleScenario against : List.of(lost(), council.perform(vote(SAM, BallotChoice.CONCERN)))) {
            LifecycleScenario given = against.perform(attach(ELI, ruling("growing")));
            assertThat(given.expectRefused(move(ELI, "growing")).code()).isEqualTo("missing");
            assertThat(given.perform(confirm(SOL)).perform(move(SUE, "growing")).state())
                    .isEqualTo("growing");
        }
    }

    @Test
    void aVetoNeedsNoOtherPersonButItsReason() {
        for (LifecycleScenario any : List.of(council, carried())) {
            assertThat(any.perform(move(ELI, "composted", REASON)).state()).isEqualTo("composted");
            assertThat(any.expectRefused(move(ELI, "composted")).message()).contains("a reason is missing");
            assertThat(any.expectRefused(move(SUE, "composted", REASON)).code()).isEqualTo("missing");
        }
        assertThat(lost().expectRefused(move(ELI, "growing")).code())
                .as("a veto only rejects")
                .isEqualTo("missing");
    }

    // --- guidance

    @Test
    void guidanceNamesWhoMustConfirm() {
        LifecycleScenario shelved = GardenProcess.in("shelved").onDay(3).perform(attach(SUE, ruling("growing")));
        assertThat(GardenProcess.LIFECYCLE.pendingConfirmations(
                        shelved.history(), shelved.externalFacts(), shelved.now()))
                .containsExactly(new PendingConfirmation(
                        "ruling",
                        "the stewards' ruling",
                        "growing: because",
                        SUE.person(),
                        GardenProcess.day(3),
                        "steward"));
        assertThat(shelved.guidance(MO).status())
                .endsWith("'ruling' by sue (growing: because) waits until a steward other than sue confirms it.");
        assertThat(shelved.guidance(MO).mustAct())
                .extracting(assignment -> assignment.party().toString())
                .containsExactly("mo", "steward");
        assertThat(shelved.guidance(SOL).nextStep())
                .startsWith("Confirm 'ruling' by sue (growing: because), or comment on what prevents it. ");
        assertThat(shelved.guidance(SUE).nextStep()).doesNotContain("Confirm");
        assertThat(shelved.perform(confirm(SOL)).guidance(MO).mustAct())
                .extracting(assignment -> assignment.party().toString())
                .containsExactly("mo");
    }

    @Test
    void guidanceSaysThatVotesAreVoidAndWhy() {
        LifecycleScenario edited = carried().onDay(2).perform(REWRITE);
        assertThat(edited.guidance(ADA).status())
                .endsWith("The text was changed on 2026-03-03 by ada, so the votes of sam and sue are void.");
        assertThat(edited.guidance(SAM).nextStep())
                .isEqualTo("Your vote is void, because ada changed the text on 2026-03-03. Read the changes and vote"
                        + " again. Vote, or raise a concern.");
        assertThat(edited.guidance(SOL).nextStep()).isEqualTo("Vote, or raise a concern.");
        assertThat(edited.perform(vote(SAM, BallotChoice.YES)).guidance(ADA).status())
                .endsWith("so the votes of sue are void.");
    }
}
