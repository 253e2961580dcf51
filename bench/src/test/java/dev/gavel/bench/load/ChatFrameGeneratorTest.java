package dev.gavel.bench.load;

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

class ChatFrameGeneratorTest {
    private static String unmasked(ByteBuffer frame) {
        int header = WebSocketFrameHeaderCodec.headerLength(frame, 0, frame.position());
        int length = (int) WebSocketFrameHeaderCodec.payloadLength(frame, 0);
        ByteBuffer plain = ByteBuffer.allocate(length);
        WebSocketFrameHeaderCodec.putMasked(plain, frame, header, length, frame.getInt(header - 4));
        return new String(plain.array(), UTF_8);
    }

    @Test
    void aFrameHoldsAMaskedEnvelope() {
        ByteBuffer frame = ByteBuffer.allocate(1000);
        new ChatFrameGenerator(7).append(frame);
        assertThat(WebSocketFrameHeaderCodec.isMasked(frame, 0)).isTrue();
        assertThat(WebSocketFrameHeaderCodec.opcode(frame, 0)).isEqualTo(WebSocketFrameHeaderCodec.TEXT);
        assertThat(unmasked(frame))
                .startsWith("{\"protocol\":\"mcpx/v0.1\",\"id\":\"bench-0007-00000000\",\"kind\":\"chat.message\","
                        + "\"payload\":{\"text\":\"seq:000700000000 the quick ")
                .endsWith("\"}}");
    }

    @Test
    void envelopesAreOfManyLengthsAndFourHundredBytesOnAverage() {
        ChatFrameGenerator chatFrameGenerator = new ChatFrameGenerator(7);
        Set<Integer> lengths = new HashSet<>();
        int count = 10_000;
        int sum = 0;
        for (int i = 0; i < count; i++) {
            ByteBuffer frame = ByteBuffer.allocate(ChatFrameGenerator.MAX_FRAME_LENGTH);
            chatFrameGenerator.append(frame);
            int length = unmasked(frame).length();
            lengths.add(length);
            sum += length;
        }
        assertThat(sum / (double) count).isCloseTo(400, within(0.5));
        assertThat(lengths).hasSize(ChatFrameGenerator.LENGTH_COUNT);
    }

    @Test
    void everyEnvelopeHasItsOwnIdAndSequenceNumber() {
        ChatFrameGenerator chatFrameGenerator = new ChatFrameGenerator(0);
        for (int i = 0; i < 1234; i++) {
            chatFrameGenerator.append(ByteBuffer.allocate(ChatFrameGenerator.MAX_FRAME_LENGTH));
        }
        ByteBuffer frame = ByteBuffer.allocate(ChatFrameGenerator.MAX_FRAME_LENGTH);
        chatFrameGenerator.append(frame);
        assertThat(unmasked(frame)).contains("\"bench-0000-00001234\"").contains("seq:000000001234 ");
        assertThat(chatFrameGenerator.generatedCount()).isEqualTo(1235);
    }

    @Property
    void digitsReadAsTheNumberTheyStandFor(@ForAll @IntRange(max = 99_999_999) int number) {
        long digits = ChatFrameGenerator.toAsciiDigits(number);
        String text = new String(ByteBuffer.allocate(8).putLong(digits).array(), UTF_8);
        assertThat(Integer.parseInt(text)).isEqualTo(number);
        assertThat(ChatFrameGenerator.parseSequence(digits)).isEqualTo(number);
    }

    @Property
    void fourDigitsReadAsTheSenderTheyStandFor(@ForAll @IntRange(max = 9999) int sender) {
        assertThat(ChatFrameGenerator.parseSender((int) ChatFrameGenerator.toAsciiDigits(sender)))
                .isEqualTo(sender);
    }

    @Property
    void aMaskPutOnTwiceIsOff(@ForAll @Size(max = 40) byte[] bytes, @ForAll int mask) {
        ByteBuffer once = ByteBuffer.allocate(bytes.length);
        WebSocketFrameHeaderCodec.putMasked(once, ByteBuffer.wrap(bytes), 0, bytes.length, mask);
        for (int i = 0; i < bytes.length; i++) {
            assertThat(once.get(i)).isEqualTo((byte) (bytes[i] ^ (mask >>> (24 - 8 * (i % 4)))));
        }
        ByteBuffer twice = ByteBuffer.allocate(bytes.length);
        WebSocketFrameHeaderCodec.putMasked(twice, once, 0, bytes.length, mask);
        assertThat(twice.array()).isEqualTo(bytes);
    }
}
