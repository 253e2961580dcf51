package dev.gavel.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EnvelopesTest {
    private static String unmasked(ByteBuffer frame) {
        int header = Frames.header(frame, 0, frame.position());
        int length = (int) Frames.length(frame, 0);
        ByteBuffer plain = ByteBuffer.allocate(length);
        Frames.putMasked(plain, frame, header, length, frame.getInt(header - 4));
        return new String(plain.array(), UTF_8);
    }

    @Test
    void aFrameHoldsAMaskedEnvelope() {
        ByteBuffer frame = ByteBuffer.allocate(1000);
        new Envelopes(7).append(frame);
        assertThat(Frames.isMasked(frame, 0)).isTrue();
        assertThat(Frames.opcode(frame, 0)).isEqualTo(Frames.TEXT);
        assertThat(unmasked(frame))
                .startsWith("{\"protocol\":\"mcpx/v0.1\",\"id\":\"bench-0007-00000000\",\"kind\":\"chat.message\","
                        + "\"payload\":{\"text\":\"seq:000700000000 the quick ")
                .endsWith("\"}}");
    }

    @Test
    void envelopesAreOfManyLengthsAndFourHundredBytesOnAverage() {
        Envelopes envelopes = new Envelopes(7);
        Set<Integer> lengths = new HashSet<>();
        int count = 10_000;
        int sum = 0;
        for (int i = 0; i < count; i++) {
            ByteBuffer frame = ByteBuffer.allocate(Envelopes.FRAME);
            envelopes.append(frame);
            int length = unmasked(frame).length();
            lengths.add(length);
            sum += length;
        }
        assertThat(sum / (double) count).isCloseTo(400, within(0.5));
        assertThat(lengths).hasSize(Envelopes.LENGTHS);
    }

    @Test
    void everyEnvelopeHasItsOwnIdAndSequenceNumber() {
        Envelopes envelopes = new Envelopes(0);
        for (int i = 0; i < 1234; i++) {
            envelopes.append(ByteBuffer.allocate(Envelopes.FRAME));
        }
        ByteBuffer frame = ByteBuffer.allocate(Envelopes.FRAME);
        envelopes.append(frame);
        assertThat(unmasked(frame)).contains("\"bench-0000-00001234\"").contains("seq:000000001234 ");
        assertThat(envelopes.made()).isEqualTo(1235);
    }

    @Property
    void digitsReadAsTheNumberTheyStandFor(@ForAll @IntRange(max = 99_999_999) int number) {
        long digits = Envelopes.digits(number);
        String text = new String(ByteBuffer.allocate(8).putLong(digits).array(), UTF_8);
        assertThat(Integer.parseInt(text)).isEqualTo(number);
        assertThat(Envelopes.number(digits)).isEqualTo(number);
    }

    @Property
    void fourDigitsReadAsTheSenderTheyStandFor(@ForAll @IntRange(max = 9999) int sender) {
        assertThat(Envelopes.sender((int) Envelopes.digits(sender))).isEqualTo(sender);
    }

    @Property
    void aMaskPutOnTwiceIsOff(@ForAll @Size(max = 40) byte[] bytes, @ForAll int mask) {
        ByteBuffer once = ByteBuffer.allocate(bytes.length);
        Frames.putMasked(once, ByteBuffer.wrap(bytes), 0, bytes.length, mask);
        for (int i = 0; i < bytes.length; i++) {
            assertThat(once.get(i)).isEqualTo((byte) (bytes[i] ^ (mask >>> (24 - 8 * (i % 4)))));
        }
        ByteBuffer twice = ByteBuffer.allocate(bytes.length);
        Frames.putMasked(twice, once, 0, bytes.length, mask);
        assertThat(twice.array()).isEqualTo(bytes);
    }
}
