package dev.gavel.mcpx.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EnvelopeIdGeneratorTest {
    private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

    @Test
    void laterIdsSortBehindEarlierOnes() {
        assertThat(EnvelopeIdGenerator.next('p', NOW)).isLessThan(EnvelopeIdGenerator.next('p', NOW.plusMillis(1)));
        assertThat(EnvelopeIdGenerator.next('p', NOW))
                .isLessThan(EnvelopeIdGenerator.next('p', NOW.plusSeconds(1_000_000_000)));
    }

    @Test
    void noTwoIdsOfTheSameMomentAreTheSame() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            ids.add(EnvelopeIdGenerator.next('p', NOW));
        }
        assertThat(ids).hasSize(1000).allMatch(id -> id.matches("p-[0-9a-f]{22}"));
    }
}
