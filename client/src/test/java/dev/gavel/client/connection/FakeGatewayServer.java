package dev.gavel.client.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.client.http.GatewayEndpoint;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A test server that reports a ledger seq over HTTP and accepts WebSockets, in place of a gateway. Thread-safe. */
final class FakeGatewayServer implements AutoCloseable {
    private static final int CLOSE = 8;

    private final ServerSocket serverSocket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final BlockingQueue<AcceptedSocket> connections = new LinkedBlockingQueue<>();
    private final Semaphore seqRequests = new Semaphore(0);
    private volatile long seq;

    FakeGatewayServer() throws IOException {
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket client = serverSocket.accept();
                    Thread.ofVirtual().start(() -> receive(client));
                }
            } catch (IOException e) {
                // The server is closed.
            }
        });
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + serverSocket.getLocalPort());
    }

    GatewayEndpoint access() {
        return new GatewayEndpoint(url(), Optional.of("a-token"));
    }

    void seq(long last) {
        seq = last;
    }

    /** Whether the topic is requested this many times from now on. */
    boolean awaitRequests(int times) throws InterruptedException {
        seqRequests.drainPermits();
        return seqRequests.tryAcquire(times, 20, TimeUnit.SECONDS);
    }

    /** Waits for the next accepted connection. */
    AcceptedSocket nextConnection() throws InterruptedException {
        AcceptedSocket next = connections.poll(20, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nobody came");
        }
        return next;
    }

    boolean hasConnections() {
        return !connections.isEmpty();
    }

    private void receive(Socket client) {
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
            String first = String.valueOf(in.readLine());
            if (first.contains("/ws?")) {
                SilentWebSocketServer.acceptHandshake(in, client);
                connections.add(new AcceptedSocket(client));
                readUntilClose(client);
                return;
            }
            while (!String.valueOf(in.readLine()).isEmpty()) {
                // The other header lines do not matter.
            }
            seqRequests.release();
            String body = "{\"ledger\":true,\"seq\":" + seq + "}";
            client.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                                    + body.length() + "\r\n\r\n" + body)
                            .getBytes(UTF_8));
            client.close();
        } catch (IOException e) {
            // A test may close the connection.
        }
    }

    /** Reads until the client sends a close frame, then closes the connection; other frames are ignored. */
    private static void readUntilClose(Socket client) throws IOException {
        byte[] frames = new byte[1024];
        int read = client.getInputStream().read(frames);
        while (read > 0 && (frames[0] & 0x0f) != CLOSE) {
            read = client.getInputStream().read(frames);
        }
        client.close();
    }

    /** A connection that was accepted. */
    record AcceptedSocket(Socket socket) {
        void sendWelcome(long seq) throws IOException {
            sendEnvelope("system.welcome", "gw-" + seq, "{\"you\":{\"id\":\"me\"},\"seq\":" + seq + "}");
        }

        void sendEnvelope(String kind, String id, String payload) throws IOException {
            byte[] text = ("{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"" + kind
                            + "\",\"from\":\"system:gateway\",\"payload\":" + payload + "}")
                    .getBytes(UTF_8);
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.write(0x81);
            if (text.length > 125) {
                frame.write(126);
                frame.write(text.length >> 8);
            }
            frame.write(text.length);
            frame.writeBytes(text);
            write(frame.toByteArray());
        }

        void close(int code) throws IOException {
            write(new byte[] {(byte) 0x88, 2, (byte) (code >> 8), (byte) code});
        }

        private void write(byte[] frame) throws IOException {
            OutputStream out = socket.getOutputStream();
            out.write(frame);
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        serverSocket.close();
        for (AcceptedSocket each : connections) {
            each.socket().close();
        }
    }
}
