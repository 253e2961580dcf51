package dev.gavel.faults.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.faults.chaos.ChaosPlan.FaultType;
import dev.gavel.faults.chaos.ChaosPlan.PlannedFault;
import dev.gavel.faults.chaos.ParticipantJournal.JournalConnection;
import dev.gavel.faults.cluster.GuaranteeViolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a run with too little activity is detected: a run of five seconds with enough of everything, and then with
 * less of something.
 */
class WorkloadSizeCheckerTest {
    private static final Duration TIME = Duration.ofSeconds(5);
    private static final int PROPOSALS = 40;
    private static final int CHATS = 40;
    private static final ChaosPlan PLAN = new ChaosPlan(
            1,
            List.of(
                    new PlannedFault(FaultType.KILL, 1_000, 0, 500, 0),
                    new PlannedFault(FaultType.HOP, 2_000, 0, 0, 0)));

    private final ParticipantJournal w0 = new ParticipantJournal("w0", false, System.nanoTime());
    private final ParticipantJournal w1 = new ParticipantJournal("w1", false, System.nanoTime());
    private final JournalConnection firstConnection = w0.openConnection(0, JournalConnection.NO_REPLAY);
    private final JournalConnection secondConnection = w1.openConnection(1, JournalConnection.NO_REPLAY);
    private final List<String> ledger = new ArrayList<>();
    private Map<FaultType, Integer> done = Map.of(FaultType.KILL, 1, FaultType.HOP, 1);
    private Map<String, String> refusals = Map.of();

    @BeforeEach
    void bothAreThereAllTheTime() {
        firstConnection.upAt = Long.MIN_VALUE;
        secondConnection.upAt = Long.MIN_VALUE;
    }

    private void propose(int count, List<String> ends) {
        for (int i = 0; i < count; i++) {
            event("p0-" + i, "proposed");
            String end = ends.get(i % ends.size());
            event("p0-" + i, end);
            if (end.equals("fulfilled")) {
                event("p0-" + i, "answered");
            }
        }
    }

    private void event(String proposal, String type) {
        ledger.add("{\"topic\":\"ops\",\"seq\":%d,\"proposal\":\"%s\",\"type\":\"%s\",\"by\":\"x\",\"body\":{}}"
                .formatted(ledger.size() + 1, proposal, type));
    }

    /** One participant sends this many messages, and the other receives this many of them. */
    private void chat(int sentCount, int receivedCount) {
        for (int i = 0; i < sentCount; i++) {
            w0.sent(firstConnection, "w0-" + i, true);
            if (i < receivedCount) {
                w1.received(
                        secondConnection, new ReceivedEnvelope("{\"id\":\"w0-" + i + "\",\"kind\":\"chat.message\"}"));
            }
        }
    }

    private void proposeEnough() {
        propose(PROPOSALS, List.of("fulfilled", "closed_by_rejections", "withdrawn", "expired"));
    }

    private WorkloadSizeChecker effort() {
        return new WorkloadSizeChecker(
                PLAN,
                done,
                TIME,
                new ChaosLedgerHistory(ledger),
                List.of(
                        new ParticipantRunRecord(w0, Set.of(), refusals, false, List.of()),
                        new ParticipantRunRecord(w1, Set.of(), Map.of(), false, List.of())));
    }

    private List<String> shortfalls() {
        return effort().check().stream().map(GuaranteeViolation::description).toList();
    }

    @Test
    void whereEnoughWasDoneThereIsNothingToSayButTheFigures() {
        proposeEnough();
        chat(CHATS, CHATS);
        done = Map.of(FaultType.KILL, 1);
        assertThat(shortfalls()).isEmpty();
        assertThat(effort().summary())
                .startsWith("1 faults (kill 1, hop 0 of 1), 40 proposals (10 approved, 10 with results, 10 rejected,"
                        + " 10 withdrawn, 10 expired), ")
                .endsWith(
                        "40 plain envelopes sent, 0 refused, 100 % of the others reached connected participants (lowest: 100 %)");
    }

    @Test
    void aRunInWhichNobodyDidAnythingBreaksNoPromiseAndIsNoneAllTheSame() {
        done = Map.of();
        assertThat(shortfalls())
                .containsExactly(
                        "only 0 proposals were created in 5 s",
                        "only 0 plain envelopes were sent in 5 s",
                        "only 0 of 0 proposals have the event answered",
                        "only 0 of 0 proposals have the event closed_by_rejections",
                        "only 0 of 0 proposals have the event expired",
                        "only 0 of 0 proposals have the event fulfilled",
                        "only 0 of 0 proposals have the event withdrawn",
                        "no gateway was killed; planned kills: 1",
                        "only 0 of 2 planned faults were injected");
    }

    @Test
    void eachEndHasToComeAbout() {
        propose(PROPOSALS, List.of("fulfilled", "closed_by_rejections", "withdrawn"));
        chat(CHATS, CHATS);
        assertThat(shortfalls()).containsExactly("only 0 of 40 proposals have the event expired");
    }

    @Test
    void whatIsSaidHasToReachThoseWhoAreThere() {
        proposeEnough();
        chat(CHATS, CHATS / 20);
        assertThat(shortfalls())
                .containsExactly(
                        "only 2 of 40 plain envelopes that were not refused reached w1 while it was connected",
                        "only 5 % of the plain envelopes that were not refused reached participants that were connected");
        secondConnection.closedAt = Long.MIN_VALUE;
        assertThat(shortfalls()).isEmpty();
    }

    @Test
    void whatWasRefusedNeedReachNobody() {
        proposeEnough();
        chat(CHATS, CHATS - 1);
        String lost = "w0-" + (CHATS - 1);
        assertThat(effort().summary()).contains("0 refused, 97 % of the others");
        refusals = Map.of(lost, "unavailable");
        assertThat(effort().summary()).contains("1 refused, 100 % of the others");
    }
}
