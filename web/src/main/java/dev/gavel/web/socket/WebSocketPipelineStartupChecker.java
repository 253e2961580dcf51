package dev.gavel.web.socket;

import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.topic.TransportListener;
import io.netty.buffer.Unpooled;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Checks at startup that Gavel's replacements for Vert.x's WebSocket handlers work, by sending one frame through a
 * WebSocket. Stateless.
 */
public final class WebSocketPipelineStartupChecker {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final String HANDSHAKE = """
            GET / HTTP/1.1\r
            Host: localhost\r
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
            \r
            """;

    /** A masked text frame with two letters; a mask of zeros leaves them unchanged. */
    private static final byte[] SENT_FRAME = {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'h', 'i'};

    /** The same frame unmasked, as the echo must return it. */
    private static final byte[] EXPECTED_FRAME = {(byte) 0x81, 2, 'h', 'i'};

    private WebSocketPipelineStartupChecker() {}

    /**
     * Fails if the pipeline does not work with the Vert.x version on the class path. Must not be called on an event
     * loop.
     */
    public static void run(Vertx vertx) throws IOException {
        HttpServer server = vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .requestHandler(request -> request.toWebSocket()
                        .onSuccess(socket -> WebSocketPipelineInstaller.install(
                                socket,
                                SENT_FRAME.length,
                                new WebSocketChannelHandler(
                                        SENT_FRAME.length, SENT_FRAME.length, 0, EchoListener::new, () -> {}))));
        server.listen().toCompletionStage().toCompletableFuture().join();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            OutputStream out = socket.getOutputStream();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            out.write(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
            skipHeaders(in);
            out.write(SENT_FRAME);
            byte[] received = new byte[EXPECTED_FRAME.length];
            in.readFully(received);
            if (!Arrays.equals(received, EXPECTED_FRAME)) {
                throw new IOException("a frame was returned changed");
            }
        } catch (IOException e) {
            throw new IOException(
                    "the WebSocket endpoint does not work with this version of Vert.x: " + e.getMessage(), e);
        } finally {
            server.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static void skipHeaders(DataInputStream in) throws IOException {
        int newlines = 0;
        while (newlines < 2) {
            int next = in.readUnsignedByte();
            newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
        }
    }

    /** Sends back what it receives. */
    private record EchoListener(TransportChannel transportChannel) implements TransportListener {
        @Override
        public void onOpen() {}

        @Override
        public boolean onReceive(byte[] envelope) {
            transportChannel.write(
                    Unpooled.wrappedBuffer(new byte[] {EXPECTED_FRAME[0], (byte) envelope.length}, envelope));
            return true;
        }

        @Override
        public void onReadComplete() {}

        @Override
        public void onClose() {}
    }
}
