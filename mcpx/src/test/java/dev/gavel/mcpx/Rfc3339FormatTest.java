package dev.gavel.mcpx;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339FormatTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-05T10:00:00Z",
                "1985-04-12T23:20:50.52Z",
                "1996-12-19T16:39:57-08:00",
                "1990-12-31T23:59:60Z",
                "1937-01-01T12:00:27.87+00:20",
                "2024-02-29t00:00:00z",
                "0000-01-01T00:00:00.000000000000Z"
            })
    void dateTimesOfTheRfcAreValid(String text) {
        assertThat(Rfc3339Format.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-01-05",
                "2026-01-05T10:00:00",
                "2026-01-05T10:00Z",
                "2026-01-05 10:00:00Z",
                "2026-13-05T10:00:00Z",
                "2026-00-05T10:00:00Z",
                "2026-02-30T10:00:00Z",
                "2023-02-29T10:00:00Z",
                "2026-04-31T10:00:00Z",
                "2026-01-05T24:00:00Z",
                "2026-01-05T10:60:00Z",
                "2026-01-05T10:00:61Z",
                "2026-01-05T10:00:00.Z",
                "2026-01-05T10:00:00.5",
                "2026-01-05T10:00:00+0100",
                "2026-01-05T10:00:00+24:00",
                "2026-01-05T10:00:00+01:60",
                "2026-01-05T10:00:00ZZ",
                "2026-01-05T10-00:00Z",
                "2026-01-05T10:00-00Z",
                "26-01-05T10:00:00.0000Z",
                "+2026-01-05T10:00:00Z",
                "２０２６-01-05T10:00:00Z",
                "1767607200"
            })
    void othersAreNot(String text) {
        assertThat(Rfc3339Format.isValid(text)).isFalse();
    }

    @Property
    void whatIsStampedIsTheInstantToTheMillisecond(
            @ForAll @LongRange(min = -62_167_219_200_000L, max = 253_402_300_799_999L) long millis) {
        String text = EnvelopeFixtures.text(Rfc3339Format.format(Instant.ofEpochMilli(millis)));
        assertThat(Instant.parse(text)).isEqualTo(Instant.ofEpochMilli(millis));
        assertThat(Rfc3339Format.isValid(text)).isTrue();
    }

    @Test
    void nanosecondsAreCutOff() {
        Instant instant = Instant.parse("2026-01-05T10:00:00.123999999Z");
        assertThat(EnvelopeFixtures.text(Rfc3339Format.format(instant)))
                .isEqualTo(instant.truncatedTo(ChronoUnit.MILLIS).toString());
    }
}
