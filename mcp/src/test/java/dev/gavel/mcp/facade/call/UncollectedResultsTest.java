package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.transport.PendingCallSettings;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class UncollectedResultsTest {
    private static final Instant END = Instant.parse("2026-01-05T10:00:00Z");
    private static final CallDeduplicationKey KEY =
            CallDeduplicationKey.of("helper", new CallTarget("files", "tools/call", "write"), "{}");

    private final UncollectedResults results = new UncollectedResults();

    private void add(boolean toldToCallAgain) {
        results.add(KEY, "w-1", END, UncollectedResults.retention(toldToCallAgain, PendingCallSettings.DEFAULT));
    }

    @Test
    void aResultThatNoClientReceivedIsKeptForTenMinutes() {
        add(false);
        assertThat(results.removeOldest(KEY, END.plus(Duration.ofMinutes(9)))).contains("w-1");
        add(false);
        assertThat(results.removeOldest(KEY, END.plus(Duration.ofMinutes(10)))).isEmpty();
    }

    @Test
    void aResultForAClientThatGotPendingIsKeptForAnHour() {
        add(true);
        assertThat(results.removeOldest(KEY, END.plus(Duration.ofMinutes(59)))).contains("w-1");
        add(true);
        assertThat(results.removeOldest(KEY, END.plus(Duration.ofHours(1)))).isEmpty();
    }

    @Test
    void aResultIsTakenOnlyOnce() {
        add(false);
        assertThat(results.take("helper", "w-1", END)).contains(KEY);
        assertThat(results.take("helper", "w-1", END)).isEmpty();
    }
}
