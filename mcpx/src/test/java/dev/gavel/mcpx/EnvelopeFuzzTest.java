package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Fuzz test of the envelope reader with many thousands of slightly mutated valid envelopes: the reader never throws,
 * and every accepted envelope is valid JSON according to {@link ReferenceJsonParser}. Use {@code -Dgavel.fuzz.seed=N}
 * for another seed and {@code -Dgavel.fuzz.rounds=N} for more rounds.
 */
class EnvelopeFuzzTest {
    private static final String[] PIECES = {
        "\"",
        "\\",
        "\\u",
        "\\ud800",
        "\\udc00",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "null",
        "1e9",
        "-",
        "0",
        "\"id\":\"1\",",
        "\"payload\":{}",
        "\u0000",
        "\uFEFF",
        "é",
        "😀",
        "/",
        "*",
        "//",
        "\"kind\":\"chat\",",
        "\"correlation_id\":\"x\",",
        "\n",
        "..",
        "true"
    };

    private final EnvelopeReader reader = new EnvelopeReader(EnvelopeLimits.DEFAULT);
    private final CapabilitySet capabilitySet = EnvelopeFixtures.capabilities(
            "['mcp.request.tools/call:r*',{'kind':'*','payload':{'params':{'name':'!x*'},'w':['*',{'kind':'*'}]}}]");

    @Test
    void nothingThatIsSentBreaksTheReaderOrSlipsThroughUnsound() {
        long seed = Long.getLong("gavel.fuzz.seed", System.nanoTime());
        int rounds = Integer.getInteger("gavel.fuzz.rounds", 8_000);
        var random = new Random(seed);
        int taken = 0;
        for (int i = 0; i < rounds; i++) {
            byte[] bytes = mutated(bytes(new EnvelopePropertiesTest.RandomEnvelope(random).text()), random);
            try {
                taken += check(bytes);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        "seed " + seed + ", round " + i + ", bytes "
                                + HexFormat.of().formatHex(bytes) + ", text "
                                + new String(bytes, StandardCharsets.UTF_8),
                        e);
            }
        }
        // If the reader accepted none or all of them, the mutations would prove nothing.
        assertThat(taken).as("seed %d", seed).isBetween(rounds / 50, rounds * 49 / 50);
    }

    private int check(byte[] bytes) {
        @Nullable Object plain = ReferenceJsonParser.read(bytes);
        switch (reader.read(bytes)) {
            case Envelope envelope -> {
                assertThat(plain).isInstanceOf(Map.class);
                assertThat(ReferenceJsonParser.read(envelope.payload().toBytes()))
                        .isEqualTo(((Map<?, ?>) plain).get("payload"));
                capabilitySet.admits(envelope);
                envelope.findKindPayloadMismatch();
                for (EnvelopeSyntax syntaxVersion : EnvelopeSyntax.values()) {
                    byte[] forwarded = envelope.encode(syntaxVersion, "s", Instant.EPOCH);
                    assertThat(reader.read(forwarded))
                            .isInstanceOfSatisfying(
                                    Envelope.class,
                                    again -> assertThat(again.payload()).isEqualTo(envelope.payload()));
                }
                return 1;
            }
            case EnvelopeRefusal refusal -> {
                assertThat(refusal.message()).hasSizeLessThan(600);
                if (EnvelopeFixtures.containsMatch(
                        refusal.message(),
                        "not valid JSON|not UTF-8|is repeated|JSON is incomplete|extra data after")) {
                    assertThat(plain).as(refusal.message()).isNull();
                }
                return 0;
            }
        }
    }

    private static byte[] mutated(byte[] original, Random random) {
        byte[] bytes = original;
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(bytes.length + 1);
            int end = Math.min(bytes.length, at + 1 + random.nextInt(4));
            bytes = switch (random.nextInt(6)) {
                case 0 -> spliced(bytes, at, end, new byte[0]);
                case 1 -> spliced(bytes, at, at, bytes(PIECES[random.nextInt(PIECES.length)]));
                case 2 -> spliced(bytes, at, end, bytes(PIECES[random.nextInt(PIECES.length)]));
                case 3 -> spliced(bytes, at, Math.min(at + 1, bytes.length), new byte[] {(byte) random.nextInt(256)});
                case 4 -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, end));
                default -> random.nextInt(8) == 0 ? Arrays.copyOf(bytes, at) : bytes;
            };
        }
        return bytes;
    }

    private static byte[] spliced(byte[] bytes, int start, int end, byte[] piece) {
        byte[] result = new byte[bytes.length - (end - start) + piece.length];
        System.arraycopy(bytes, 0, result, 0, start);
        System.arraycopy(piece, 0, result, start, piece.length);
        System.arraycopy(bytes, end, result, start + piece.length, bytes.length - end);
        return result;
    }
}
