package dev.gavel.web.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.topic.TransportListener;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks when a WebSocket connection that answers no pings is closed. */
class WebSocketChannelHandlerPingTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<ConnectionCloseReason> dropped = new ArrayList<>();
    private WebSocketChannelHandler tap;

    /** A listener that records its calls. */
    private record Noting(List<String> told, List<ConnectionCloseReason> dropped) implements TransportListener {
        @Override
        public void onOpen() {
            told.add("began");
        }

        @Override
        public boolean onReceive(byte[] envelope) {
            return true;
        }

        @Override
        public void onReadComplete() {}

        @Override
        public void onServerClose(ConnectionCloseReason why) {
            dropped.add(why);
        }

        @Override
        public void onClose() {
            told.add("ended");
        }
    }

    @BeforeEach
    void install() {
        tap = new WebSocketChannelHandler(
                1024, 1024, transportChannel -> new Noting(new ArrayList<>(), dropped), () -> {});
        channel.pipeline().addLast("tap", tap);
        tap.begin();
    }

    /** Invalid input may have been read together with the handshake. */
    @Test
    void aConnectionThatEndedBeforeItBeganNeverBegins() {
        List<String> told = new ArrayList<>();
        EmbeddedChannel moving = new EmbeddedChannel();
        WebSocketChannelHandler early = new WebSocketChannelHandler(
                1024, 1024, transportChannel -> new Noting(told, new ArrayList<>()), () -> told.add("afterwards"));
        moving.pipeline().addLast("tap", early);
        early.exceptionCaught(
                moving.pipeline().context("tap"),
                new CorruptedWebSocketFrameException(WebSocketCloseStatus.PROTOCOL_ERROR, "nonsense"));
        early.begin();
        moving.close().awaitUninterruptibly();
        moving.runPendingTasks();
        assertThat(told).containsExactly("afterwards");
    }

    private void pings(int count) {
        for (int i = 0; i < count; i++) {
            tap.ping();
        }
        channel.runPendingTasks();
    }

    private void keepsUp(boolean so) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, so);
        channel.runPendingTasks();
    }

    @Test
    void whoAnswersNoneOfThreeIsDead() {
        pings(3);
        assertThat(channel.isOpen()).isTrue();
        assertThat(dropped).isEmpty();
        pings(1);
        assertThat(channel.isOpen()).isFalse();
        assertThat(dropped).containsExactly(ConnectionCloseReason.SILENT);
    }

    @Test
    void aConnectionThatFailsIsCountedOnce() {
        tap.exceptionCaught(channel.pipeline().context("tap"), new IOException("reset"));
        tap.exceptionCaught(channel.pipeline().context("tap"), new IOException("reset"));
        assertThat(channel.isOpen()).isFalse();
        assertThat(dropped).containsExactly(ConnectionCloseReason.BROKEN);
    }

    @Test
    void whatWaitsToBeSentIsKnown() {
        assertThat(tap.pendingBytes()).isZero();
        keepsUp(false);
        tap.write(Unpooled.wrappedBuffer(new byte[100]));
        tap.write(Unpooled.wrappedBuffer(new byte[23]));
        assertThat(tap.pendingBytes()).isEqualTo(123);
        keepsUp(true);
        assertThat(tap.pendingBytes()).isZero();
    }

    @Test
    void whoAnswersLives() {
        for (int i = 0; i < 10; i++) {
            pings(3);
            channel.writeInbound(new PongWebSocketFrame());
        }
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void whoDoesNotKeepUpMayGetToThePingsLater() {
        keepsUp(false);
        pings(24);
        assertThat(channel.isOpen()).isTrue();
        pings(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void whoTakesWhatItIsSentLives() {
        for (int i = 0; i < 10; i++) {
            keepsUp(false);
            pings(20);
            keepsUp(true);
        }
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void whoHasAnsweredAndKeepsUpHasNoLongerThanOthers() {
        keepsUp(false);
        keepsUp(true);
        channel.writeInbound(new PongWebSocketFrame());
        pings(4);
        assertThat(channel.isOpen()).isFalse();
    }
}
