package dev.gavel.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DeliveryVerifierTest {
    private static final String WELCOME = "{\"kind\":\"system.welcome\",\"payload\":{\"seq\":0}}";
    private static final String PRESENCE = "{\"kind\":\"system.presence\",\"payload\":{\"event\":\"join\"}}";

    private final List<String> pings = new ArrayList<>();
    private final DeliveryVerifier deliveryVerifier =
            new DeliveryVerifier("r0", 2, -1, ping -> pings.add(new String(ping, UTF_8)));
    private final ByteBuffer bytes = ByteBuffer.allocate(4 * 1024 * 1024);

    private static String message(int sender, int number) {
        return message("", sender, number);
    }

    private static String message(String stamp, int sender, int number) {
        return "{\"id\":\"x\"," + stamp + "\"kind\":\"chat.message\",\"payload\":{\"text\":\""
                + String.format(Locale.ROOT, "seq:%04d%08d", sender, number) + " hello\"}}";
    }

    private void arrive(int opcode, String text) {
        byte[] payload = text.getBytes(UTF_8);
        WebSocketFrameHeaderCodec.putHeader(bytes, opcode, payload.length);
        bytes.put(payload);
    }

    private void arrive(String text) {
        arrive(WebSocketFrameHeaderCodec.TEXT, text);
    }

    private void count() {
        assertThat(deliveryVerifier.countFrames(bytes, 0)).isEqualTo(bytes.position());
        bytes.clear();
    }

    @Test
    void onlyMessagesAreCounted() {
        arrive(WELCOME);
        arrive(PRESENCE);
        arrive(message(0, 0));
        arrive(PRESENCE);
        arrive(message(0, 1));
        arrive(message(1, 0));
        arrive(message(0, 2));
        count();
        assertThat(deliveryVerifier.receivedCount()).isEqualTo(4);
        assertThat(deliveryVerifier.isWelcomed()).isTrue();
    }

    @Test
    void aMessageIsCountedWhereverTheServersStampHasMovedItsMark() {
        arrive(message("\"ts\":\"2026-01-05T10:00:00Z\",", 0, 0));
        arrive(message("\"ts\":\"2026-01-05T10:00:00.123Z\",", 0, 1));
        arrive(message("", 0, 2));
        count();
        assertThat(deliveryVerifier.receivedCount()).isEqualTo(3);
    }

    @Test
    void aMessageLeftOutIsAFailure() {
        arrive(message(0, 0));
        arrive(message(0, 2));
        assertThatThrownBy(this::count)
                .isInstanceOf(RunFailedException.class)
                .hasMessage("r0: received message 2 of sender 0: expected message 1");
    }

    @Test
    void aMessageSentTwiceIsAFailure() {
        arrive(message(0, 0));
        arrive(message(0, 0));
        assertThatThrownBy(this::count).hasMessage("r0: received message 0 of sender 0: expected message 1");
    }

    @Test
    void aSenderNobodyKnowsIsAFailure() {
        arrive(message(2, 0));
        assertThatThrownBy(this::count).hasMessage("r0: received message 0 of sender 2: there is no such sender");
    }

    @Test
    void aSendersOwnMessageThatComesBackIsAFailure() {
        DeliveryVerifier own = new DeliveryVerifier("s1", 2, 1, _ -> {});
        arrive(message(0, 0));
        arrive(message(1, 0));
        assertThatThrownBy(() -> own.countFrames(bytes, 0))
                .hasMessage("s1: received message 0 of sender 1: a sender must not receive its own messages");
    }

    @Test
    void aRefusalIsAFailureThatSaysWhatTheServerSaid() {
        arrive("{\"kind\":\"system.error\",\"payload\":{\"error\":\"capability_violation\"}}");
        assertThatThrownBy(this::count)
                .hasMessageStartingWith("r0: the server refused a message: ")
                .hasMessageContaining("capability_violation");
    }

    @Test
    void aCloseIsAFailureThatSaysTheCode() {
        byte[] reason = "slow".getBytes(UTF_8);
        WebSocketFrameHeaderCodec.putHeader(bytes, WebSocketFrameHeaderCodec.CLOSE, 2 + reason.length);
        bytes.putShort((short) 4008).put(reason);
        assertThatThrownBy(this::count).hasMessage("r0: the server closed the connection with 4008 slow");
    }

    @Test
    void aPingIsHandedOn() {
        arrive(WebSocketFrameHeaderCodec.PING, "are you there");
        count();
        assertThat(pings).containsExactly("are you there");
    }

    @Test
    void aFrameLongerThanTheBufferIsPassedOver() {
        ByteBuffer all = ByteBuffer.allocate(300_000);
        String welcome = WELCOME + " ".repeat(200_000);
        WebSocketFrameHeaderCodec.putHeader(all, WebSocketFrameHeaderCodec.TEXT, welcome.length());
        all.put(welcome.getBytes(UTF_8));
        String message = message(0, 0);
        WebSocketFrameHeaderCodec.putHeader(all, WebSocketFrameHeaderCodec.TEXT, message.length());
        all.put(message.getBytes(UTF_8));
        feed(all.flip(), ByteBuffer.allocate(10_000), List.of(7_000));
        assertThat(deliveryVerifier.isWelcomed()).isTrue();
        assertThat(deliveryVerifier.receivedCount()).isEqualTo(1);
    }

    @Property(tries = 200)
    void whereverTheBytesAreCutTheCountIsExact(
            @ForAll @Size(min = 1, max = 10) List<@IntRange(min = 1, max = 900) Integer> cuts) {
        DeliveryVerifier cut = new DeliveryVerifier("r0", 1, -1, _ -> {});
        ByteBuffer all = ByteBuffer.allocate(100_000);
        for (int i = 0; i < 50; i++) {
            for (String text : List.of(PRESENCE, message(0, i))) {
                WebSocketFrameHeaderCodec.putHeader(all, WebSocketFrameHeaderCodec.TEXT, text.length());
                all.put(text.getBytes(UTF_8));
            }
        }
        feed(cut, all.flip(), ByteBuffer.allocate(2_000), cuts);
        assertThat(cut.receivedCount()).isEqualTo(50);
    }

    private void feed(ByteBuffer all, ByteBuffer shared, List<Integer> pieces) {
        feed(deliveryVerifier, all, shared, pieces);
    }

    /** Passes the bytes in pieces, each after the uncounted rest of the previous ones, as a connection does. */
    private static void feed(
            DeliveryVerifier deliveryVerifier, ByteBuffer all, ByteBuffer shared, List<Integer> pieces) {
        for (int i = 0; all.hasRemaining(); i++) {
            int piece = Math.min(pieces.get(i % pieces.size()), Math.min(all.remaining(), shared.remaining()));
            shared.put(all.slice(all.position(), piece));
            all.position(all.position() + piece);
            int counted = deliveryVerifier.countFrames(shared, 0);
            shared.flip().position(counted);
            shared.compact();
        }
        assertThat(shared.position()).isZero();
    }
}
