package dev.gavel.lifecycle.shipped;

import static dev.gavel.lifecycle.shipped.Shipped.link;
import static dev.gavel.lifecycle.shipped.Shipped.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.people.Actor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The process that the documentation explains, walked from end to end. */
class HarbourTest {
    private static final Lifecycle HARBOUR = Shipped.read("../docs/examples/harbour.yaml");
    private static final Actor ANN = Actor.of("ann");
    private static final Actor BEN = Actor.of("ben", "crew");
    private static final Actor KAI = Actor.of("kai", "captain");
    private static final Actor LIV = Actor.of("liv", "captain");
    private static final Circumstances KNOWN = Circumstances.unknown()
            .withMembers("crew", "ben")
            .withMembers("captain", "kai", "liv")
            .withFact("titled")
            .withFact("motivation")
            .withFact("section-drawbacks");

    private static Tale raised(String type) {
        return new Tale(HARBOUR, History.empty(), KNOWN, Shipped.START)
                .does(new Command.Submit(ANN, List.of(), Map.of("title", "Sails", "type", type), List.of()));
    }

    private static Tale voting(String type) {
        return raised(type)
                .does(new Command.Take(BEN, "shepherd", List.of()))
                .moves(BEN, "voting")
                .does(new Command.Vote(KAI, Ballot.YES, ""));
    }

    @Test
    void anRfcGoesFromRaisedToShipped() {
        Tale voted = voting("feature");
        assertThat(voted.refusesMove(KAI, "agreed").message()).contains("1 voted, 2 needed");
        Tale agreed = voted.does(new Command.Vote(LIV, Ballot.YES, "")).moves(KAI, "agreed");
        assertThat(agreed.guidance(ANN).nextStep()).isEqualTo("Build it, and link the merged pull request.");
        assertThat(agreed.moves(ANN, "shipped", link("merged")).guidance(ANN).mustAct())
                .isEmpty();
    }

    @Test
    void theDrawbacksMustBeThereAndARemovalSaysHowToGetAwayFromIt() {
        assertThat(raised("Feature")
                        .does(new Command.Take(BEN, "shepherd", List.of()))
                        .given(KNOWN.without("section-drawbacks", "no such heading"))
                        .refusesMove(BEN, "voting")
                        .message())
                .isEqualTo("To voting it still needs: it has a section on Drawbacks (no such heading).");
        Tale removal = voting("Removal").does(new Command.Vote(LIV, Ballot.YES, ""));
        assertThat(removal.refusesMove(KAI, "agreed").message()).contains("how users get away from it");
        assertThat(removal.moves(KAI, "agreed", link("migration")).state()).isEqualTo("agreed");
    }

    @Test
    void twoThirdsMustBeForIt() {
        Tale split = voting("Feature").does(new Command.Vote(LIV, Ballot.NO, ""));
        assertThat(split.refusesMove(KAI, "agreed").code()).isEqualTo("missing");
        assertThat(split.refusesMove(BEN, "shaping").message())
                .isEqualTo("To shaping it still needs: what is to change (reason: in words).");
        assertThat(split.moves(BEN, "shaping", words("reason")).state()).isEqualTo("shaping");
    }

    @Test
    void whatNobodyLooksAfterFallsAsleepAndIsRaisedAgain() {
        Tale waiting = raised("Feature");
        assertThat(waiting.on(7).due()).singleElement().isInstanceOf(Due.Ping.class);
        Tale asleep = waiting.on(7).sweep().on(30).sweep();
        assertThat(asleep.state()).isEqualTo("asleep");
        assertThat(asleep.moves(ANN, "raised").state()).isEqualTo("raised");
    }

    @Test
    void oldWordsAreUnderstood() {
        assertThat(HARBOUR.process().stateNamed("Open")).contains("raised");
        assertThat(HARBOUR.process().stateNamed("MERGED")).contains("shipped");
    }
}
