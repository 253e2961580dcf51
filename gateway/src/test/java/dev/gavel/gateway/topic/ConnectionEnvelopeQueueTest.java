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

class ConnectionEnvelopeQueueTest {
    private static final Member ALICE =
            new Member("alice", CapabilitySet.compile(List.of("*")).orThrow());

    private final AdmissionResult slow = verdict("slow", 10);
    private final AdmissionResult quick = verdict("quick", 10);
    private final Set<AdmissionResult> slowOnes = new HashSet<>(Set.of(slow));
    private final ConnectionEnvelopeQueue connectionEnvelopeQueue = new ConnectionEnvelopeQueue(slowOnes::contains);

    private static AdmissionResult verdict(String id, int length) {
        String text = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"x.y\",\"payload\":{\"a\":\""
                + "a".repeat(length) + "\"}}";
        return new AdmissionPolicy(EnvelopeLimits.DEFAULT).check(text.getBytes(StandardCharsets.UTF_8), ALICE);
    }

    @Test
    void nothingPassesBeforeTheWelcome() {
        assertThat(connectionEnvelopeQueue.canProcess(quick)).isFalse();
        assertThat(connectionEnvelopeQueue.offer(quick)).isTrue();
        assertThat(connectionEnvelopeQueue.poll()).isEmpty();
        connectionEnvelopeQueue.open();
        assertThat(connectionEnvelopeQueue.poll()).contains(quick);
        assertThat(connectionEnvelopeQueue.canProcess(quick)).isTrue();
    }

    @Test
    void whatIsQuickWaitsForWhatIsSlowAndWhatIsSlowDoesNot() {
        connectionEnvelopeQueue.open();
        connectionEnvelopeQueue.onSubmitted(slow);
        assertThat(connectionEnvelopeQueue.canProcess(slow)).isTrue();
        assertThat(connectionEnvelopeQueue.canProcess(quick)).isFalse();
        connectionEnvelopeQueue.offer(quick);
        connectionEnvelopeQueue.offer(slow);
        assertThat(connectionEnvelopeQueue.canProcess(slow))
                .as("behind what waits")
                .isFalse();
        assertThat(connectionEnvelopeQueue.poll()).isEmpty();
        connectionEnvelopeQueue.onSettled();
        assertThat(connectionEnvelopeQueue.poll()).contains(quick);
        assertThat(connectionEnvelopeQueue.poll()).contains(slow);
        assertThat(connectionEnvelopeQueue.poll()).isEmpty();
    }

    @Test
    void onlySoMuchWaits() {
        AdmissionResult large = verdict("large", 900_000);
        slowOnes.add(large);
        connectionEnvelopeQueue.open();
        int taken = 0;
        while (connectionEnvelopeQueue.canProcess(large) && taken < 100) {
            connectionEnvelopeQueue.onSubmitted(large);
            taken++;
        }
        assertThat(taken).isEqualTo(4);
        assertThat(connectionEnvelopeQueue.offer(large)).isFalse();
        connectionEnvelopeQueue.onSettled();
        assertThat(connectionEnvelopeQueue.canProcess(large)).isTrue();
    }

    @Test
    void onlySoManyWait() {
        connectionEnvelopeQueue.open();
        connectionEnvelopeQueue.onSubmitted(slow);
        int kept = 0;
        while (connectionEnvelopeQueue.offer(quick)) {
            kept++;
        }
        assertThat(kept).isEqualTo(1023);
    }
}
