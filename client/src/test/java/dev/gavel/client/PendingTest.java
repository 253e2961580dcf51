package dev.gavel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PendingTest {
    private final Pending pending = new Pending(
            "p",
            Call.method("tools/list"),
            task -> Thread.ofVirtual().start(task),
            (each, reason) -> new CompletableFuture<>(),
            null,
            false);

    @Test
    void aStageOfAcceptedMayWaitForTheEnd() {
        CompletableFuture<String> dependent =
                pending.accepted().whenComplete((id, failure) -> pending.end().join());
        pending.fail(new GavelException.Closed("closed"));
        // The cause must be the close, not the timeout.
        assertThat(dependent)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withRootCauseInstanceOf(GavelException.Closed.class);
    }
}
