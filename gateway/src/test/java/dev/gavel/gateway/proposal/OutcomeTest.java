package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.Room.declined;
import static dev.gavel.gateway.proposal.Room.route;
import static dev.gavel.gateway.proposal.Room.taken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.mcpx.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutcomeTest {
    private final Room room = new Room();
    private final String id = room.proposed().id();

    @BeforeEach
    void fulfil() {
        taken(room.fulfil("alice", id, "files", "bob"));
    }

    private Optional<Outcome> outcome() {
        return room.proposal(id).outcome();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'result':{'content':[]}}                       | SUCCEEDED
            {'result':{'isError':false}}                    | SUCCEEDED
            {'result':{'isError':true}}                     | FAILED
            {'error':{'code':-32000,'message':'no'}}        | FAILED
            """)
    void theResponseSaysWhetherItFailed(String payload, Outcome outcome) {
        assertThat(Room.types(room.answer("files", id, payload))).containsExactly("answered");
        assertThat(outcome()).contains(outcome);
    }

    @Test
    void theFirstResponseCountsAndLaterOnesChangeNothing() {
        room.answer("bob", id, "{'result':{}}");
        assertThat(route(room.answer("files", id, "{'error':{}}")).concerns("agent"))
                .isTrue();
        assertThat(outcome()).contains(Outcome.SUCCEEDED);
    }

    @Test
    void aResponseOfAnyoneElseIsNotAddressee() {
        Fault fault = declined(room.answer("carol", id, "{'result':{}}"));
        assertThat(fault.refusal().code()).isEqualTo(ErrorCode.NOT_ADDRESSEE);
        assertThat(fault.failure().proposal()).isEqualTo(id);
        assertThat(fault.failure().state()).isEqualTo("fulfilled");
        assertThat(fault.refusal().message()).contains("files");
        assertThat(outcome()).contains(Outcome.PENDING);
    }

    @Test
    void itGoesToItsToAndAlsoToTheProposer() {
        Route route = route(room.answer("files", id, "{'result':{}}"));
        assertThat(route.sent().to()).containsExactly("alice");
        assertThat(route.also()).containsExactly("agent");
    }

    @Test
    void itIsUnknownWhenTheAnswerTimeHasPassed() {
        assertThat(room.proposal(id).dueAt()).contains(room.now.plus(Duration.ofMinutes(10)));
        room.pass(Duration.ofMinutes(10).minusNanos(1));
        assertThat(room.carryOut(id)).isEqualTo(new Ruling.Unchanged());
        room.pass(Duration.ofNanos(1));
        assertThat(taken(room.carryOut(id)).entries())
                .containsExactly(new Entry(id, new OutcomeUnknown(OutcomeUnknown.Why.ANSWER_TIME_PASSED)));
        assertThat(outcome()).contains(Outcome.UNKNOWN);
        assertThat(room.proposal(id).dueAt()).isEmpty();
    }

    @Test
    void itIsUnknownWhenTheLastAddresseeLeftForLongerThanAReconnectTakes() {
        room.leave("files");
        assertThat(room.attendAt(id)).isEmpty();
        room.leave("bob");
        assertThat(room.attendAt(id)).contains(room.now.plus(ProposalRules.GRACE));
        assertThat(room.attend(id)).isEqualTo(new Ruling.Unchanged());
        room.pass(ProposalRules.GRACE);
        assertThat(taken(room.attend(id)).entries())
                .containsExactly(new Entry(id, new OutcomeUnknown(OutcomeUnknown.Why.ADDRESSEE_LEFT)));
        assertThat(outcome()).contains(Outcome.UNKNOWN);
        assertThat(room.attend(id)).isEqualTo(new Ruling.Unchanged());
        assertThat(room.attendAt(id)).isEmpty();
    }

    @Test
    void anAddresseeThatReconnectsInTimeIsStillWaitedFor() {
        room.leave("files", "bob");
        room.pass(Duration.ofSeconds(1));
        room.come("files");
        room.pass(Duration.ofMinutes(1));
        assertThat(room.attend(id)).isEqualTo(new Ruling.Unchanged());
        assertThat(outcome()).contains(Outcome.PENDING);
    }

    @Test
    void aLateResponseStillSetsIt() {
        room.pass(Duration.ofMinutes(10));
        room.carryOut(id);
        room.pass(Duration.ofHours(3));
        Ruling.Taken taken = taken(room.answer("files", id, "{'result':{}}"));
        assertThat(taken.entries().getFirst().event())
                .isInstanceOfSatisfying(
                        Answered.class, answered -> assertThat(answered.late()).isTrue());
        assertThat(outcome()).contains(Outcome.SUCCEEDED);
    }

    @Test
    void aResponseAfterTheAnswerTimeIsLateAlsoBeforeThatIsRecorded() {
        room.pass(Duration.ofMinutes(10));
        assertThat(room.proposal(id).asOf(room.now).outcome()).contains(Outcome.UNKNOWN);
        assertThat(taken(room.answer("files", id, "{'result':{}}"))
                        .entries()
                        .getFirst()
                        .event())
                .isInstanceOfSatisfying(
                        Answered.class, answered -> assertThat(answered.late()).isTrue());
        assertThat(room.carryOut(id)).isEqualTo(new Ruling.Unchanged());
        assertThat(outcome()).contains(Outcome.SUCCEEDED);
    }

    @Test
    void whatWasNotHandedOnIsRecordedAndChangesNothing() {
        room.answer("files", id, "{'result':{}}");
        room.done(room.life.notForwarded(room.proposal(id), "the client had gone"));
        assertThat(room.proposal(id).timeline().getLast().event().type()).isEqualTo("not_forwarded");
        assertThat(outcome()).contains(Outcome.SUCCEEDED);
    }

    @Test
    void whatCameOfItIsHandedOnOnceAndNotBeforeThereIsSomething() {
        assertThat(room.life.forwarded(room.proposal(id))).isEqualTo(new Ruling.Unchanged());
        room.answer("files", id, "{'result':{}}");
        room.done(room.life.forwarded(room.proposal(id)));
        assertThat(room.proposal(id).timeline().getLast().event().type()).isEqualTo("forwarded");
        assertThat(room.life.forwarded(room.proposal(id))).isEqualTo(new Ruling.Unchanged());
        assertThat(outcome()).contains(Outcome.SUCCEEDED);

        room.propose("open", Room.WRITE);
        assertThat(room.life.forwarded(room.proposal("open"))).isEqualTo(new Ruling.Unchanged());
    }

    @Test
    void nobodyAnswersWithoutEnd() {
        room.propose("many", Room.WRITE);
        room.fulfil("alice", "many", "files");
        for (int i = 0; i < 10; i++) {
            Room.taken(room.answer("files", "many", "{'result':{}}"));
        }
        assertThat(Room.declined(room.answer("files", "many", "{'result':{}}"))
                        .refusal()
                        .code())
                .isEqualTo(ErrorCode.RATE_LIMITED);
    }
}
