package dev.gavel.web.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsoleTimeFormatterTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "-5, 0 s",
        "0, 0 s",
        "59, 59 s",
        "60, 1 min",
        "899, 15 min",
        "7199, 120 min",
        "7200, 2 h",
        "86400, 24 h",
        "172800, 2 days",
        "2592000, 30 days"
    })
    void aSpanIsSaidInTheUnitThatFits(long seconds, String words) {
        assertThat(ConsoleTimeFormatter.span(NOW, NOW.plusSeconds(seconds))).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({"0, just now", "9, just now", "10, 10 s ago", "300, 5 min ago"})
    void theirAgeIsToo(long seconds, String words) {
        assertThat(ConsoleTimeFormatter.ago(NOW.minusSeconds(seconds), NOW)).isEqualTo(words);
    }
}
