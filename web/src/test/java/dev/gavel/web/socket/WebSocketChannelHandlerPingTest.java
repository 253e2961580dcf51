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
    private final List<ConnectionCloseReason> closeReasons = new ArrayList<>();
    private WebSocketChannelHandler handler;

    /** A listener that records its calls. */
    private record RecordingListener(List<String> calls, List<ConnectionCloseReason> closeReasons)
            implements TransportListener {
        @Override
        public void onOpen() {
            calls.add("began");
        }

        @Override
        public boolean onReceive(byte[] envelope) {
            return true;
        }

        @Override
        public void onReadComplete() {}

        @Override
        public void onServerClose(ConnectionCloseReason closeReason) {
            closeReasons.add(closeReason);
        }

        @Override
        public void onClose() {
            calls.add("ended");
        }
    }

    @BeforeEach
    void install() {
        handler = new WebSocketChannelHandler(
                1024, 1024, 0, transportChannel -> new RecordingListener(new ArrayList<>(), closeReasons), () -> {});
        channel.pipeline().addLast("tap", handler);
        handler.begin();
    }

    /** Invalid input may have been read together with the handshake. */
    @Test
    void aConnectionThatEndedBeforeBeginNeverOpens() {
        List<String> calls = new ArrayList<>();
        EmbeddedChannel otherChannel = new EmbeddedChannel();
        WebSocketChannelHandler earlyHandler = new WebSocketChannelHandler(
                1024,
                1024,
                0,
                transportChannel -> new RecordingListener(calls, new ArrayList<>()),
                () -> calls.add("afterwards"));
        otherChannel.pipeline().addLast("tap", earlyHandler);
        earlyHandler.exceptionCaught(
                otherChannel.pipeline().context("tap"),
                new CorruptedWebSocketFrameException(WebSocketCloseStatus.PROTOCOL_ERROR, "nonsense"));
        earlyHandler.begin();
        otherChannel.close().awaitUninterruptibly();
        otherChannel.runPendingTasks();
        assertThat(calls).containsExactly("afterwards");
    }

    private void ping(int count) {
        for (int i = 0; i < count; i++) {
            handler.ping();
        }
        channel.runPendingTasks();
    }

    private void setWritable(boolean writable) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
        channel.runPendingTasks();
    }

    @Test
    void aClientThatAnswersNoneOfThreePingsIsClosed() {
        ping(3);
        assertThat(channel.isOpen()).isTrue();
        assertThat(closeReasons).isEmpty();
        ping(1);
        assertThat(channel.isOpen()).isFalse();
        assertThat(closeReasons).containsExactly(ConnectionCloseReason.SILENT);
    }

    @Test
    void aConnectionThatFailsIsCountedOnce() {
        handler.exceptionCaught(channel.pipeline().context("tap"), new IOException("reset"));
        handler.exceptionCaught(channel.pipeline().context("tap"), new IOException("reset"));
        assertThat(channel.isOpen()).isFalse();
        assertThat(closeReasons).containsExactly(ConnectionCloseReason.BROKEN);
    }

    @Test
    void pendingBytesAreReported() {
        assertThat(handler.pendingBytes()).isZero();
        setWritable(false);
        handler.write(Unpooled.wrappedBuffer(new byte[100]));
        handler.write(Unpooled.wrappedBuffer(new byte[23]));
        assertThat(handler.pendingBytes()).isEqualTo(123);
        setWritable(true);
        assertThat(handler.pendingBytes()).isZero();
    }

    @Test
    void aClientThatAnswersPingsStaysConnected() {
        for (int i = 0; i < 10; i++) {
            ping(3);
            channel.writeInbound(new PongWebSocketFrame());
        }
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aSlowClientMayAnswerPingsLater() {
        setWritable(false);
        ping(24);
        assertThat(channel.isOpen()).isTrue();
        ping(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aClientThatReadsStaysConnected() {
        for (int i = 0; i < 10; i++) {
            setWritable(false);
            ping(20);
            setWritable(true);
        }
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aRecoveredClientHasTheNormalLimit() {
        setWritable(false);
        setWritable(true);
        channel.writeInbound(new PongWebSocketFrame());
        ping(4);
        assertThat(channel.isOpen()).isFalse();
    }
}
