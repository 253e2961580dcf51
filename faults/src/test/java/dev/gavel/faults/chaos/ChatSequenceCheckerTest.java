package dev.gavel.faults.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.faults.chaos.ParticipantJournal.JournalConnection;
import dev.gavel.faults.cluster.GuaranteeViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChatSequenceCheckerTest {
    private final List<GatewayConnectionTrace> traces = new ArrayList<>();
    private final List<ParticipantRunRecord> records = new ArrayList<>();

    private static ReceivedEnvelope chat(String id) {
        return new ReceivedEnvelope("{\"from\":\"%s\",\"id\":\"%s\",\"kind\":\"chat.message\",\"payload\":{}}"
                .formatted(id.substring(0, id.indexOf('-')), id));
    }

    private void connection(String gateway, String participant, boolean directed, String... ids) {
        GatewayConnectionTrace trace = new GatewayConnectionTrace(gateway, 7, traces.size() + 1, participant, directed);
        for (String id : ids) {
            trace.record(chat(id));
        }
        traces.add(trace);
    }

    private void connection(String gateway, String participant, String... ids) {
        connection(gateway, participant, false, ids);
    }

    private List<String> violations() {
        return new ChatSequenceChecker(
                        traces, records, new ViolationEvidenceFinder(new ChaosLedgerHistory(List.of()), List.of()))
                .check().stream().map(GuaranteeViolation::description).toList();
    }

    @Test
    void participantsThatComeAndGoGetPartsOfOneSequence() {
        connection("gateway-0", "w0", "p0-1", "p0-2", "p0-3", "p0-4");
        connection("gateway-0", "w1", "p0-2", "p0-3");
        connection("gateway-0", "w1", "p0-4");
        assertThat(violations()).isEmpty();
    }

    @Test
    void aSecondGatewayMaySendAMessageLater() {
        connection("gateway-0", "w0", "p0-1", "p0-2");
        connection("gateway-1", "w0", "p0-2", "p0-3");
        connection("gateway-1", "w1", "p0-1", "p0-2", "p0-3");
        assertThat(violations()).isEmpty();
    }

    @Test
    void aSecondGatewayMustNotRepeatAMessageToAParticipantThatMoves() {
        connection("gateway-0", "w0", "p0-1", "p0-2");
        connection("gateway-1", "w1", "p0-1", "p0-2", "p0-3");
        connection("gateway-1", "w0", "p0-1", "p0-3");
        assertThat(violations())
                .containsExactly("gateway-1 (process 7) did not send p0-2 on connection 3 of w0, but sent messages from"
                        + " before and after it");
    }

    @Test
    void aGatewaySendsAMessageOnceToAParticipantOverAllItsConnections() {
        connection("gateway-0", "w0", "p0-1", "p0-2");
        connection("gateway-0", "w0", "p0-2", "p0-3");
        assertThat(violations()).containsExactly("gateway-0 (process 7) sent p0-2 twice to w0");
    }

    @Test
    void aRestartedGatewayIsAnotherProcess() {
        connection("gateway-0", "w0", "p0-1", "p0-2");
        GatewayConnectionTrace trace = new GatewayConnectionTrace("gateway-0", 8, 2, "w0", false);
        trace.record(chat("p0-2"));
        traces.add(trace);
        assertThat(violations()).isEmpty();
    }

    @Test
    void allConnectionsHaveTheSameOrderOverSeveralConnectionsToo() {
        connection("gateway-0", "w0", "p0-1", "p1-1");
        connection("gateway-0", "w1", "p1-1");
        connection("gateway-0", "w1", "p0-1");
        assertThat(violations())
                .containsExactly("gateway-0 (process 7) sent p0-1 before p1-1 to w0, but after it to w1");
    }

    @Test
    void aParticipantNeedNotGetItsOwnMessagesAndADirectedOneOnlyWhatIsAddressedToIt() {
        connection("gateway-0", "w0", "p0-1", "w1-1", "p0-2", "p0-3");
        connection("gateway-0", "w1", "p0-1", "p0-2");
        connection("gateway-0", "p2", true, "p0-1", "p0-3");
        assertThat(violations()).isEmpty();
    }

    @Test
    void aMessageThatNoGatewaySentIsFound() {
        ParticipantJournal journal = new ParticipantJournal("w0", false, System.nanoTime());
        journal.received(journal.openConnection(0, JournalConnection.NO_REPLAY), chat("p0-1"));
        records.add(new ParticipantRunRecord(journal, Set.of(), Map.of(), false, List.of()));
        assertThat(violations()).containsExactly("w0 received p0-1, but no gateway sent it there");
        connection("gateway-0", "w0", "p0-1");
        assertThat(violations()).isEmpty();
    }
}
