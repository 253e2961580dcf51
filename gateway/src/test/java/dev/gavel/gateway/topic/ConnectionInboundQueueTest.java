package dev.gavel.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.admission.AdmissionPolicy;
import dev.gavel.gateway.admission.AdmissionResult;
import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeLimits;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConnectionInboundQueueTest {
    private static final Member ALICE =
            new Member("alice", CapabilitySet.compile(List.of("*")).orThrow());

    private final AdmissionResult slow = verdict("slow", 10);
    private final AdmissionResult quick = verdict("quick", 10);
    private final Set<AdmissionResult> slowOnes = new HashSet<>(Set.of(slow));
    private final ConnectionInboundQueue connectionInboundQueue = new ConnectionInboundQueue(slowOnes::contains);

    private static AdmissionResult verdict(String id, int length) {
        String text = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"x.y\",\"payload\":{\"a\":\""
                + "a".repeat(length) + "\"}}";
        return new AdmissionPolicy(EnvelopeLimits.DEFAULT).check(text.getBytes(StandardCharsets.UTF_8), ALICE);
    }

    @Test
    void nothingPassesBeforeTheWelcome() {
        assertThat(connectionInboundQueue.canProcess(quick)).isFalse();
        assertThat(connectionInboundQueue.offer(quick)).isTrue();
        assertThat(connectionInboundQueue.poll()).isEmpty();
        connectionInboundQueue.startProcessing();
        assertThat(connectionInboundQueue.poll()).contains(quick);
        assertThat(connectionInboundQueue.canProcess(quick)).isTrue();
    }

    @Test
    void whatIsQuickWaitsForWhatIsSlowAndWhatIsSlowDoesNot() {
        connectionInboundQueue.startProcessing();
        connectionInboundQueue.onSubmitted(slow);
        assertThat(connectionInboundQueue.canProcess(slow)).isTrue();
        assertThat(connectionInboundQueue.canProcess(quick)).isFalse();
        connectionInboundQueue.offer(quick);
        connectionInboundQueue.offer(slow);
        assertThat(connectionInboundQueue.canProcess(slow))
                .as("behind what waits")
                .isFalse();
        assertThat(connectionInboundQueue.poll()).isEmpty();
        connectionInboundQueue.onSettled();
        assertThat(connectionInboundQueue.poll()).contains(quick);
        assertThat(connectionInboundQueue.poll()).contains(slow);
        assertThat(connectionInboundQueue.poll()).isEmpty();
    }

    @Test
    void everythingWaitsForACallThatIsBeingRecorded() {
        connectionInboundQueue.startProcessing();
        connectionInboundQueue.onRecordingCall(quick);
        assertThat(connectionInboundQueue.canProcess(slow)).isFalse();
        assertThat(connectionInboundQueue.canProcess(quick)).isFalse();
        connectionInboundQueue.offer(slow);
        assertThat(connectionInboundQueue.poll()).isEmpty();
        connectionInboundQueue.onSettled();
        assertThat(connectionInboundQueue.poll()).contains(slow);
    }

    @Test
    void onlySoMuchWaits() {
        AdmissionResult large = verdict("large", 900_000);
        slowOnes.add(large);
        connectionInboundQueue.startProcessing();
        int taken = 0;
        while (connectionInboundQueue.canProcess(large) && taken < 100) {
            connectionInboundQueue.onSubmitted(large);
            taken++;
        }
        assertThat(taken).isEqualTo(4);
        assertThat(connectionInboundQueue.offer(large)).isFalse();
        connectionInboundQueue.onSettled();
        assertThat(connectionInboundQueue.canProcess(large)).isTrue();
    }

    @Test
    void onlySoManyWait() {
        connectionInboundQueue.startProcessing();
        connectionInboundQueue.onSubmitted(slow);
        int kept = 0;
        while (connectionInboundQueue.offer(quick)) {
            kept++;
        }
        assertThat(kept).isEqualTo(1023);
    }
}
