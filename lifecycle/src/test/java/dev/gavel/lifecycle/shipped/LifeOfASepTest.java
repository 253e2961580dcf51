package dev.gavel.lifecycle.shipped;

import static dev.gavel.lifecycle.shipped.Shipped.ADA;
import static dev.gavel.lifecycle.shipped.Shipped.CARL;
import static dev.gavel.lifecycle.shipped.Shipped.CHET;
import static dev.gavel.lifecycle.shipped.Shipped.CLEO;
import static dev.gavel.lifecycle.shipped.Shipped.CORA;
import static dev.gavel.lifecycle.shipped.Shipped.EVE;
import static dev.gavel.lifecycle.shipped.Shipped.MO;
import static dev.gavel.lifecycle.shipped.Shipped.SAM;
import static dev.gavel.lifecycle.shipped.Shipped.link;
import static dev.gavel.lifecycle.shipped.Shipped.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Person;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a SEP goes through beside its moves: votes, sponsors who come and go, sleep and waking, and whole lives. */
class LifeOfASepTest {
    static Stream<Lifecycle> both() {
        return Stream.of(Shipped.SEP_1286, Shipped.MCP_2026);
    }

    private static Tale submitted(Lifecycle lifecycle) {
        return Tale.under(lifecycle)
                .does(new Command.Submit(ADA, List.of(), Map.of("title", "Streams"), List.of(link("discussion"))));
    }

    private static Command vote(Actor by, Ballot ballot) {
        return new Command.Vote(by, ballot, ballot == Ballot.CONCERN ? "It leaks." : "");
    }

    private static Command sponsors(Actor by) {
        return new Command.Take(by, "sponsor", List.of());
    }

    private static Tale reviewed(Lifecycle lifecycle) {
        return Tale.in(lifecycle, "in-review").does(new Command.Attach(ADA, List.of(link("prototype"))));
    }

    @Test
    void theSixStepsOfSep1286LeadToFinal() {
        Tale end = submitted(Shipped.SEP_1286)
                .does(sponsors(SAM))
                .moves(SAM, "provisional", link("goals"))
                .moves(SAM, "prototyping", link("prototype"))
                .does(new Command.Attach(ADA, List.of(words("ready"))))
                .moves(SAM, "in-review", words("review"))
                .does(vote(CORA, Ballot.YES))
                .does(vote(CARL, Ballot.YES))
                .moves(CORA, "accepted")
                .does(new Command.Attach(ADA, List.of(link("reference-implementation"))))
                .moves(SAM, "final", link("conformance"));
        assertThat(end.guidance(ADA).mustAct()).isEmpty();
        assertThat(end.guidance(ADA).nextStep()).isEqualTo("Nothing to do; it may only be superseded.");
    }

    @Test
    void theShorterWayOfMcp2026LeadsToFinal() {
        assertThat(submitted(Shipped.MCP_2026)
                        .does(sponsors(SAM))
                        .moves(SAM, "in-review")
                        .moves(SAM, "draft", words("changes"))
                        .moves(SAM, "in-review")
                        .moves(CORA, "accepted", words("decision"), link("prototype"))
                        .moves(SAM, "final", link("reference-implementation"), words("exemption"))
                        .state())
                .isEqualTo("final");
    }

    @ParameterizedTest
    @MethodSource("both")
    void anyoneMaySubmitWithATitleAnAbstractAndAMotivation(Lifecycle lifecycle) {
        for (Actor actor : List.of(ADA, MO, CORA, EVE)) {
            Tale nothing = Tale.under(lifecycle);
            Command submit = new Command.Submit(actor, List.of(), Map.of(), List.of());
            assertThat(nothing.does(submit).state()).isEqualTo("proposal");
            for (String fact : List.of("titled", "abstract", "motivation")) {
                assertThat(nothing.given(Shipped.ALL_THERE.without(fact, "there is none"))
                                .refused(submit)
                                .message())
                        .startsWith("To proposal it still needs: it has a")
                        .endsWith("(there is none).");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aTypeThatIsNotSaidIsStandardsTrack(Lifecycle lifecycle) {
        Tale untyped = submitted(lifecycle).does(sponsors(SAM));
        Tale accepted = new Tale(
                lifecycle,
                untyped.history().plus(List.of(new Event.Moved(Shipped.START, CORA, "draft", "accepted", List.of()))),
                untyped.circumstances(),
                untyped.now());
        assertThat(accepted.refusesMove(SAM, "final", link("reference-implementation"))
                        .message())
                .contains("conformance evidence");
    }

    @ParameterizedTest
    @MethodSource("both")
    void aVoteCarriesWithHalfOfThemAMajorityAndNoOpenConcern(Lifecycle lifecycle) {
        Tale one = reviewed(lifecycle).does(vote(CORA, Ballot.YES));
        assertThat(one.refusesMove(CORA, "accepted").message())
                .contains("1 yes, 0 no, 0 abstaining; 1 voted, 2 needed");
        assertThat(one.does(vote(CARL, Ballot.ABSTAIN)).moves(CORA, "accepted").state())
                .isEqualTo("accepted");
        assertThat(one.does(vote(CARL, Ballot.NO)).refusesMove(CORA, "accepted").message())
                .contains("1 yes, 1 no");
        Tale concerned = one.does(vote(CARL, Ballot.YES)).does(vote(CLEO, Ballot.CONCERN));
        assertThat(concerned.refusesMove(CORA, "accepted").message()).contains("open concern of cleo");
        Tale settled = concerned.does(vote(Actor.of("CLEO", "core-maintainer"), Ballot.YES));
        assertThat(settled.moves(CORA, "accepted").history().events().getLast())
                .isInstanceOfSatisfying(
                        Event.Moved.class,
                        moved -> assertThat(moved.evidence())
                                .containsExactly(
                                        new Evidence("tally", "3 yes, 0 no, 0 abstaining; 3 voted, 2 needed")));
        for (Actor other : List.of(ADA, SAM, MO, EVE)) {
            assertThat(one.refused(vote(other, Ballot.YES)).message()).isEqualTo("Only a core maintainer may vote.");
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aHoldParksTheDecisionAndLosesNoVote(Lifecycle lifecycle) {
        Tale held = reviewed(lifecycle)
                .does(vote(CORA, Ballot.YES))
                .does(vote(CARL, Ballot.YES))
                .does(new Command.Hold(CHET, "the lawyers read it"));
        assertThat(held.refusesMove(CORA, "accepted").message())
                .isEqualTo("The decision is on hold since 2026-01-05 (the lawyers read it);"
                        + " a core maintainer may take it up again.");
        assertThat(held.refusesMove(CORA, "rejected", words("rationale")).code())
                .isEqualTo("hold");
        assertThat(held.on(300).due()).isEmpty();
        assertThat(held.does(new Command.Release(CLEO, ""))
                        .moves(CORA, "accepted")
                        .state())
                .isEqualTo("accepted");
        assertThat(held.refused(new Command.Release(SAM, "")).code()).isEqualTo("not-allowed");
    }

    @ParameterizedTest
    @MethodSource("both")
    void minutesOfAnEarlierMeetingAreNoDecision(Lifecycle lifecycle) {
        Tale earlier =
                Tale.in(lifecycle, "draft").does(new Command.Attach(SAM, List.of(words("minutes"), link("prototype"))));
        Tale review = new Tale(
                lifecycle,
                earlier.history().plus(List.of(new Event.Moved(Shipped.START, SAM, "draft", "in-review", List.of()))),
                earlier.circumstances(),
                earlier.now());
        assertThat(review.refusesMove(CORA, "accepted").message()).contains("the recorded decision");
        assertThat(review.does(new Command.Attach(SAM, List.of(words("minutes"))))
                        .refusesMove(CORA, "accepted")
                        .message())
                .as("a maintainer's minutes decide nothing")
                .contains("the recorded decision");
        assertThat(review.moves(CORA, "accepted", words("minutes")).state()).isEqualTo("accepted");
    }

    @ParameterizedTest
    @MethodSource("both")
    void onlyACoreMaintainerRecordsADecision(Lifecycle lifecycle) {
        assertThat(reviewed(lifecycle)
                        .refusesMove(SAM, "accepted", words("decision"))
                        .message())
                .isEqualTo("Only a core maintainer may move it to accepted.");
    }

    @ParameterizedTest
    @MethodSource("both")
    void evidenceOnceAttachedStaysForLaterMoves(Lifecycle lifecycle) {
        Tale attached = reviewed(lifecycle)
                .does(new Command.Attach(ADA, List.of(link("reference-implementation"), link("conformance"))))
                .moves(CORA, "accepted", words("decision"))
                .moves(SAM, "final");
        assertThat(attached.state()).isEqualTo("final");
        assertThat(reviewed(lifecycle)
                        .refused(new Command.Attach(ADA, List.of(new Evidence("prototype", "soon"))))
                        .message())
                .isEqualTo(
                        "'soon' will not do as 'prototype': it must be a link that begins with http:// or https://.");
    }

    @ParameterizedTest
    @MethodSource("both")
    void whenASponsorStepsDownTheStateStaysAndTheMoveIsTheMaintainers(Lifecycle lifecycle) {
        for (String state : lifecycle.process().states().keySet()) {
            if (!lifecycle.process().state(state).staffed().contains("sponsor")) {
                continue;
            }
            Tale vacant = Tale.in(lifecycle, state).on(40).does(new Command.StepDown(SAM, "sponsor"));
            assertThat(vacant.state()).isEqualTo(state);
            assertThat(vacant.guidance(MO).mustAct())
                    .containsExactly(new Holding(new Group("maintainer"), "maintainer", Shipped.day(40)));
            assertThat(vacant.guidance(MO).nextStep())
                    .isEqualTo("It has no sponsor. Sponsor it, or say why nobody should.");
            assertThat(vacant.guidance(ADA).nextStep()).startsWith("It has no sponsor.");
            assertThat(vacant.refused(sponsors(EVE)).message()).isEqualTo("Only a maintainer may take 'sponsor'.");
            for (Actor maintainer : List.of(MO, CORA)) {
                Tale taken = vacant.on(50).does(sponsors(maintainer));
                assertThat(taken.state()).isEqualTo(state);
                assertThat(taken.standing().holders().people("sponsor")).containsExactly(maintainer.person());
            }
            assertThat(Tale.in(lifecycle, state).refused(sponsors(MO)).message())
                    .isEqualTo("the sponsor (sam) holds it; it can be taken once they step down.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"in-review", "deferred", "accepted"})
    void whereNobodysTurnHasAClockAVacantPlaceHasOne(String state) {
        Tale vacant = Tale.in(Shipped.SEP_1286, state).on(10).does(new Command.StepDown(SAM, "sponsor"));
        assertThat(vacant.on(23).due()).isEmpty();
        assertThat(vacant.on(24).due())
                .singleElement()
                .satisfies(due ->
                        assertThat(due.text()).isEqualTo("It has no sponsor. Sponsor it, or say why nobody should."));
        assertThat(vacant.on(15).does(sponsors(MO)).on(24).due()).isEmpty();
    }

    @Test
    void aCoreMaintainerIsToldMoreThanAMaintainer() {
        assertThat(Tale.in(Shipped.SEP_1286, "proposal").guidance(CORA).nextStep())
                .isEqualTo("Sponsor it, or reject it with feedback.");
    }

    @Test
    void theClockOfWhoeverMustActStartsAnewWhenASponsorStepsDown() {
        Tale vacant = Tale.in(Shipped.SEP_1286, "draft").on(10).does(new Command.StepDown(SAM, "sponsor"));
        assertThat(vacant.on(23).due()).isEmpty();
        assertThat(vacant.on(24).due())
                .singleElement()
                .satisfies(due -> assertThat(due)
                        .isInstanceOfSatisfying(
                                Due.Ping.class,
                                ping -> assertThat(ping.whom())
                                        .hasSize(6)
                                        .contains(new Person("mo"), new Person("cora"))));
        assertThat(vacant.on(100).due()).anyMatch(Due.Escalation.class::isInstance);
        Tale draft = Tale.in(Shipped.MCP_2026, "draft").on(10).does(new Command.StepDown(SAM, "sponsor"));
        assertThat(draft.on(99).due()).isEmpty();
        assertThat(draft.on(100).due()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("both")
    void ownershipIsTransferredAndTheFirstAuthorStaysUnlessTheyLeave(Lifecycle lifecycle) {
        Tale tale = Tale.in(lifecycle, "draft");
        Person eve = EVE.person();
        assertThat(tale.does(new Command.Transfer(ADA, "author", eve, true))
                        .standing()
                        .proposers())
                .containsExactly(eve, ADA.person());
        Tale left = tale.does(new Command.Transfer(ADA, "author", eve, false));
        assertThat(left.standing().proposers()).containsExactly(eve);
        assertThat(left.moves(EVE, "withdrawn", words("reason")).state()).isEqualTo("withdrawn");
        assertThat(left.refusesMove(ADA, "withdrawn", words("reason")).message())
                .isEqualTo("Only the author (eve) may move it to withdrawn.");
        assertThat(tale.refused(new Command.Transfer(SAM, "author", eve, true)).message())
                .isEqualTo("Only the author (ada) may hand on 'author'.");
        assertThat(tale.refused(new Command.StepDown(ADA, "author")).message())
                .contains("transfer it to somebody first");
    }

    @ParameterizedTest
    @MethodSource("both")
    void aDormantSepIsWokenByItsAuthorOrByASponsor(Lifecycle lifecycle) {
        Tale dormant = submitted(lifecycle).on(200).sweep();
        assertThat(dormant.state()).isEqualTo("dormant");
        assertThat(dormant.on(2000).due()).isEmpty();
        assertThat(dormant.guidance(ADA).nextStep()).isEqualTo("Wake it with a note when you want to go on.");
        assertThat(dormant.guidance(MO).nextStep()).isEqualTo("Sponsor it if you want to go on with it.");
        Tale woken = dormant.on(300).moves(ADA, "proposal", words("note"));
        assertThat(woken.on(300 + 179).due()).noneMatch(Due.Go.class::isInstance);
        assertThat(woken.on(300 + 180).sweep().state()).isEqualTo("dormant");
        Tale sponsored = dormant.on(300).does(sponsors(MO));
        assertThat(sponsored.state()).isEqualTo("draft");
        assertThat(sponsored.standing().holders().people("sponsor")).containsExactly(MO.person());
    }

    @ParameterizedTest
    @MethodSource("both")
    void aSponsorWhoLetsItSleepIsItsSponsorNoMore(Lifecycle lifecycle) {
        Tale dormant = Tale.in(lifecycle, "draft").moves(SAM, "dormant", words("reason"));
        assertThat(dormant.standing().holders().people("sponsor")).isEmpty();
        assertThat(dormant.does(sponsors(MO)).state()).isEqualTo("draft");
    }

    @Test
    void aPersonIsRemindedOfOneSepAtMostOnceInTwoWeeks() {
        // Sam hears of it as a maintainer on day 14 and sponsors it; as its sponsor he is not due before day 28.
        Tale taken = submitted(Shipped.SEP_1286).on(14).sweep().on(14).does(sponsors(SAM));
        assertThat(taken.on(28).at(Shipped.day(28).minusSeconds(1)).due()).isEmpty();
        assertThat(taken.on(28).due()).hasSize(1);
        Tale late = Tale.in(Shipped.SEP_1286, "draft")
                .does(new Command.StepDown(SAM, "sponsor"))
                .on(95);
        assertThat(late.due()).hasSize(2);
        assertThat(late.due().stream()
                        .filter(Due.Ping.class::isInstance)
                        .flatMap(due -> ((Due.Ping) due).whom().stream()))
                .as("core maintainers hear that it is theirs too, not both")
                .containsExactly(new Person("sam"), new Person("mo"));
        assertThat(late.sweep().on(108).due()).isEmpty();
    }

    @Test
    void aReminderThatIsDueSoonerWaitsUntilTwoWeeksAreOver() {
        Tale late = submitted(Shipped.SEP_1286).on(1).says(MO).on(160).sweep();
        assertThat(late.standing().reminders().lastTo(ADA.person())).contains(Shipped.day(160));
        assertThat(late.on(166).due()).isEmpty();
        assertThat(late.at(Shipped.day(174).minusSeconds(1)).due()).isEmpty();
        assertThat(late.on(174).due()).hasSize(1);
    }

    @Test
    void thePersonIsLeftAloneInWhateverRoleAndByWhateverClock() {
        // Cora decides it and, since Sam stepped down, sponsors it too.
        Tale deferred = Tale.in(Shipped.SEP_1286, "in-review")
                .does(new Command.StepDown(SAM, "sponsor"))
                .does(sponsors(CORA))
                .on(28)
                .sweep()
                .moves(CARL, "deferred", words("reason"), new Evidence("revisit", "2026-02-05"));
        assertThat(deferred.on(32).due()).isEmpty();
        assertThat(deferred.at(Shipped.day(42).minusSeconds(1)).due()).isEmpty();
        assertThat(deferred.on(42).due()).hasSize(1);
        assertThat(deferred.does(new Command.StepDown(Actor.of("CORA", "core-maintainer"), "sponsor"))
                        .does(sponsors(MO))
                        .on(32)
                        .due())
                .as("Mo was not reminded before")
                .hasSize(1);
    }

    @Test
    void theCoolDownHoldsBackNoMove() {
        Tale pinged = submitted(Shipped.SEP_1286).on(1).says(MO).on(179).sweep();
        assertThat(pinged.standing().reminders().lastTo(ADA.person())).contains(Shipped.day(179));
        assertThat(pinged.on(180).sweep().state()).isEqualTo("dormant");
    }

    @Test
    void aDeferredSepSaysWhatItWaitsFor() {
        Tale review = Tale.in(Shipped.SEP_1286, "in-review");
        Tale dated = review.moves(CORA, "deferred", words("reason"), new Evidence("revisit", "2026-09-01"));
        assertThat(dated.guidance(ADA).status())
                .isEqualTo("deferred since 2026-01-05: the decision is postponed"
                        + " (date to revisit it: 2026-09-01; trigger: none yet).");
        Tale again = dated.moves(SAM, "in-review", words("reason"))
                .moves(CORA, "deferred", words("reason"), new Evidence("trigger", "streams land"));
        assertThat(again.guidance(ADA).status())
                .as("an earlier date is past")
                .endsWith("(date to revisit it: none yet; trigger: streams land).");
        assertThat(again.on(3000).due()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("both")
    void wordsOfDocumentsMeanStates(Lifecycle lifecycle) {
        assertThat(lifecycle.process().stateMeant("Draft", role -> false)).contains("proposal");
        assertThat(lifecycle.process().stateMeant("DRAFT", Set.of("sponsor")::contains))
                .contains("draft");
        assertThat(lifecycle.process().stateMeant("Approved", role -> true)).contains("accepted");
        assertThat(lifecycle.process().stateMeant("Accepted with Changes", role -> true))
                .contains("accepted");
        assertThat(lifecycle.process().stateMeant("In-Review", role -> true)).contains("in-review");
        assertThat(lifecycle.process().stateMeant("TBD", role -> true)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("both")
    void aSepIsDecidedOnAsItIs(Lifecycle lifecycle) {
        Map<String, String> other = Map.of("type", "Process");
        for (String state : lifecycle.process().states().keySet()) {
            Tale tale = Tale.in(lifecycle, state);
            switch (state) {
                case "final" ->
                    assertThat(tale.refused(new Command.Edit(ADA, Map.of("title", "Else")))
                                    .message())
                            .isEqualTo("It is final, and that is settled: nothing of it can be changed any more;"
                                    + " it may only be superseded.");
                case "in-review", "accepted" -> {
                    assertThat(tale.refused(new Command.Edit(ADA, other)).message())
                            .startsWith(
                                    "'type' cannot be changed from Standards Track to Process while it is " + state);
                    tale.does(new Command.Edit(ADA, Map.of("title", "Else", "type", "standards track")));
                }
                case "rejected", "withdrawn", "superseded" ->
                    assertThat(tale.refused(new Command.Edit(ADA, Map.of())).code())
                            .isEqualTo("ended");
                default ->
                    assertThat(tale.does(new Command.Edit(ADA, other))
                                    .standing()
                                    .attributes())
                            .containsEntry("type", "Process");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aCoreMaintainerWhoHasVotedIsToldWhatIsNext(Lifecycle lifecycle) {
        Tale one = reviewed(lifecycle).does(vote(CORA, Ballot.YES));
        assertThat(one.guidance(CORA).nextStep()).startsWith("You have voted; see that the others do");
        assertThat(one.guidance(CARL).nextStep()).isEqualTo("Vote, or raise a concern with its reason.");
        Tale two = one.does(vote(CARL, Ballot.YES));
        for (Actor actor : List.of(CORA, CLEO)) {
            assertThat(two.guidance(actor).nextStep()).startsWith("The vote carries; move it to accepted");
        }
        assertThat(two.guidance(ADA).nextStep()).isEqualTo("Be there to answer questions.");
    }
}
