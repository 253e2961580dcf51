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
import dev.gavel.lifecycle.history.LifecycleHistory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the example process that the documentation explains from submission to end. */
class ExampleProcessTest {
    private static final LifecycleEngine HARBOUR = ShippedProcessFixtures.read("../docs/examples/harbour.yaml");
    private static final Actor ANN = Actor.of("ann");
    private static final Actor BEN = Actor.of("ben", "crew");
    private static final Actor KAI = Actor.of("kai", "captain");
    private static final Actor LIV = Actor.of("liv", "captain");
    private static final ExternalFacts KNOWN = ExternalFacts.none()
            .withMembers("crew", "ben")
            .withMembers("captain", "kai", "liv")
            .withFact("titled")
            .withFact("section-motivation")
            .withFact("section-drawbacks");

    private static SepScenario raised(String type) {
        return new SepScenario(HARBOUR, LifecycleHistory.empty(), KNOWN, ShippedProcessFixtures.START)
                .perform(
                        new LifecycleCommand.Submit(ANN, List.of(), Map.of("title", "Sails", "type", type), List.of()));
    }

    private static SepScenario voting(String type) {
        return raised(type)
                .perform(new LifecycleCommand.TakeRole(BEN, "shepherd", List.of()))
                .move(BEN, "voting")
                .perform(new LifecycleCommand.Vote(KAI, BallotChoice.YES, ""));
    }

    @Test
    void anRfcGoesFromRaisedToShipped() {
        SepScenario voted = voting("feature");
        assertThat(voted.expectMoveRefused(KAI, "agreed").message()).contains("1 voted, 2 needed");
        SepScenario agreed = voted.perform(new LifecycleCommand.Vote(LIV, BallotChoice.YES, ""))
                .move(KAI, "agreed");
        assertThat(agreed.guidance(ANN).nextStep()).isEqualTo("Implement the RFC, and link the merged pull request.");
        assertThat(agreed.move(ANN, "shipped", linkEvidence("merged"))
                        .guidance(ANN)
                        .mustAct())
                .isEmpty();
    }

    @Test
    void theDrawbacksMustBeThereAndARemovalSaysHowToGetAwayFromIt() {
        assertThat(raised("Feature")
                        .perform(new LifecycleCommand.TakeRole(BEN, "shepherd", List.of()))
                        .withFacts(KNOWN.withUnmetFact("section-drawbacks", "the Drawbacks section is missing"))
                        .expectMoveRefused(BEN, "voting")
                        .message())
                .isEqualTo("Cannot move to `voting`: the Drawbacks section is missing.");
        SepScenario removal = voting("Removal").perform(new LifecycleCommand.Vote(LIV, BallotChoice.YES, ""));
        assertThat(removal.expectMoveRefused(KAI, "agreed").message())
                .contains("a link to the migration guide is missing");
        assertThat(removal.move(KAI, "agreed", linkEvidence("migration")).state())
                .isEqualTo("agreed");
    }

    @Test
    void twoThirdsMustBeForIt() {
        SepScenario split = voting("Feature").perform(new LifecycleCommand.Vote(LIV, BallotChoice.NO, ""));
        assertThat(split.expectMoveRefused(KAI, "agreed").code()).isEqualTo("missing");
        assertThat(split.expectMoveRefused(BEN, "shaping").message())
                .isEqualTo("Cannot move to `shaping`: the list of changes is missing (reason: text).");
        assertThat(split.move(LIV, "declined", textEvidence("reason")).state()).isEqualTo("declined");
        assertThat(voting("Feature")
                        .expectMoveRefused(LIV, "declined", textEvidence("reason"))
                        .message())
                .contains("the vote is not lost (1 yes, 0 no");
        assertThat(split.move(BEN, "shaping", textEvidence("reason")).state()).isEqualTo("shaping");
    }

    @Test
    void whatNobodyLooksAfterFallsAsleepAndIsRaisedAgain() {
        SepScenario waiting = raised("Feature");
        assertThat(waiting.onDay(7).dueActions()).singleElement().isInstanceOf(ClockAction.Reminder.class);
        SepScenario asleep = waiting.onDay(7).performDueActions().onDay(30).performDueActions();
        assertThat(asleep.state()).isEqualTo("asleep");
        assertThat(asleep.move(ANN, "raised").state()).isEqualTo("raised");
    }

    @Test
    void oldWordsAreUnderstood() {
        assertThat(HARBOUR.processDefinition().findState("Open")).contains("raised");
        assertThat(HARBOUR.processDefinition().findState("MERGED")).contains("shipped");
    }
}
