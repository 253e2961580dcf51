package dev.gavel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextFormatTest {
    @ParameterizedTest
    @CsvSource({"90s, 90", "5m, 300", "2h, 7200", "1d, 86400"})
    void durationsAreParsed(String text, long seconds) {
        assertThat(DurationTextFormat.parse(text)).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "m", "0s", "-5m", "5 minutes", "1.5h", "99999999999d"})
    void invalidDurationsAreRejected(String text) {
        assertThat(DurationTextFormat.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 1s", "59, 59s", "61, 2m", "3600, 1h", "2591999, 30d", "2592000, 30d", "2592001, 31d"})
    void remainingTimeIsRoundedUp(long seconds, String text) {
        assertThat(DurationTextFormat.formatRemaining(Duration.ofSeconds(seconds)))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0s", "59, 59s", "60, 1m", "3599, 59m", "86399, 23h", "200000, 2d", "-5, 0s"})
    void durationsAreFormattedInTheirLargestUnit(long seconds, String text) {
        assertThat(DurationTextFormat.format(Duration.ofSeconds(seconds))).isEqualTo(text);
    }
}
