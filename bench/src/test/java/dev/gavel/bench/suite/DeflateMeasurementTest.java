package dev.gavel.bench.suite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

class DeflateMeasurementTest {
    private static final byte[] TEXT =
            "the quick brown fox jumps over the lazy dog, the quick brown fox".getBytes(UTF_8);

    @Test
    void aMessageByItselfTakesAsMuchEachTimeAndCanBeReadByItself() throws IOException {
        try (Deflater deflater = new Deflater(6, true)) {
            byte[] out = new byte[200];
            int first = DeflateMeasurement.deflate(deflater, TEXT, DeflateMeasurement.CompressionContext.NONE, out);
            int second = DeflateMeasurement.deflate(deflater, TEXT, DeflateMeasurement.CompressionContext.NONE, out);
            assertThat(first).isEqualTo(second).isLessThan(TEXT.length);
            assertThat(inflate(out, second, TEXT.length)).isEqualTo(TEXT);
        }
    }

    @Test
    void aMessageThatCameBeforeTakesNextToNothing() {
        try (Deflater deflater = new Deflater(6, true)) {
            byte[] out = new byte[200];
            int first =
                    DeflateMeasurement.deflate(deflater, TEXT, DeflateMeasurement.CompressionContext.ALL_BEFORE, out);
            int second =
                    DeflateMeasurement.deflate(deflater, TEXT, DeflateMeasurement.CompressionContext.ALL_BEFORE, out);
            assertThat(second).isPositive().isLessThan(first / 4);
        }
    }

    @Test
    void messagesAreAsLongAsThoseOfTheLoadAndNoTwoAreTheSame() {
        List<byte[]> messages = DeflateMeasurement.messages();
        assertThat(messages).allSatisfy(each -> assertThat(each).hasSize(400));
        assertThat(messages.stream().map(each -> new String(each, UTF_8)))
                .doesNotHaveDuplicates()
                .allSatisfy(
                        each -> assertThat(each).startsWith("{\"protocol\":").endsWith("\"}}"));
    }

    @Test
    void rememberingWhatCameBeforeSavesMore() {
        DeflateMeasurement alone =
                DeflateMeasurement.measure(1, DeflateMeasurement.CompressionContext.NONE, 1, Duration.ofMillis(1));
        DeflateMeasurement after = DeflateMeasurement.measure(
                1, DeflateMeasurement.CompressionContext.ALL_BEFORE, 2, Duration.ofMillis(1));
        assertThat(alone.savedShare()).isBetween(0.1, 0.9);
        assertThat(after.savedShare()).isBetween(alone.savedShare(), 0.95);
        assertThat(alone.nanosPerMessage()).isPositive();
    }

    /** Decompresses a message as a receiver does, which appends the bytes that were not sent. */
    private static byte[] inflate(byte[] out, int length, int wanted) throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        sent.write(out, 0, length);
        sent.write(new byte[] {0, 0, (byte) 0xff, (byte) 0xff});
        try (Inflater inflater = new Inflater(true);
                InflaterInputStream in =
                        new InflaterInputStream(new ByteArrayInputStream(sent.toByteArray()), inflater)) {
            return in.readNBytes(wanted);
        }
    }
}
