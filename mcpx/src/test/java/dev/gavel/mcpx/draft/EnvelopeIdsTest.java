package dev.gavel.mcpx.draft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EnvelopeIdsTest {
    private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

    @Test
    void laterIdsSortBehindEarlierOnes() {
        assertThat(EnvelopeIds.next('p', NOW)).isLessThan(EnvelopeIds.next('p', NOW.plusMillis(1)));
        assertThat(EnvelopeIds.next('p', NOW)).isLessThan(EnvelopeIds.next('p', NOW.plusSeconds(1_000_000_000)));
    }

    @Test
    void noTwoIdsOfTheSameMomentAreTheSame() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            ids.add(EnvelopeIds.next('p', NOW));
        }
        assertThat(ids).hasSize(1000).allMatch(id -> id.matches("p-[0-9a-f]{22}"));
    }
}
