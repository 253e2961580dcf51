package dev.gavel.faults.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.ClusterGatewayProcess;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Forwards the connections of clients to one gateway, and records which chat messages the gateway sends on each
 * WebSocket. Thread-safe.
 */
final class RecordingGatewayProxy implements AutoCloseable {
    private static final int CONNECT_MILLIS = 1_000;
    private static final int BUFFER = 16 * 1024;
    private static final int HEAD_END = 0x0d0a0d0a;
    private static final int TEXT = 1;
    private static final Pattern TOKEN = Pattern.compile("(?im)^Authorization: Bearer (\\S+)\\s*$");

    private final ClusterGatewayProcess gateway;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final Queue<GatewayConnectionTrace> traces = new ConcurrentLinkedQueue<>();

    /** Opens a proxy on a free port. */
    RecordingGatewayProxy(ClusterGatewayProcess gateway) throws IOException {
        this.gateway = gateway;
        this.listener = new ServerSocket(0, 256, InetAddress.ofLiteral("127.0.0.1"));
        Thread.ofVirtual().name("recording proxy").start(this::listen);
    }

    /** The address for clients. */
    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    ClusterGatewayProcess gateway() {
        return gateway;
    }

    /** What the gateway sent on each WebSocket, in the order in which the WebSockets were opened. */
    List<GatewayConnectionTrace> traces() {
        return List.copyOf(traces);
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException _) {
                // The proxy was closed, or the client has disconnected again.
            }
        }
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        try {
            server.connect(gateway.address(), CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException _) {
            closeQuietly(client);
            closeQuietly(server);
            return;
        }
        sockets.add(client);
        sockets.add(server);
        if (listener.isClosed()) {
            closeQuietly(client);
            closeQuietly(server);
            return;
        }
        ForwardedConnection connection =
                new ForwardedConnection(client, server, gateway.pid(), connections.incrementAndGet());
        Thread.ofVirtual().start(() -> forward(connection::forwardRequests, connection));
        Thread.ofVirtual().start(() -> forward(connection::forwardResponses, connection));
    }

    /** Copies the bytes of one direction. */
    @FunctionalInterface
    private interface Forwarding {
        void run() throws IOException;
    }

    private void forward(Forwarding forwarding, ForwardedConnection connection) {
        try {
            forwarding.run();
        } catch (IOException _) {
            // Broken on one side; the other side is closed, too.
        } finally {
            for (Socket socket : List.of(connection.client(), connection.server())) {
                closeQuietly(socket);
                sockets.remove(socket);
            }
        }
    }

    /** One connection of a client to the gateway. */
    private final class ForwardedConnection {
        private final Socket client;
        private final Socket server;
        private final long process;
        private final int number;
        private final CompletableFuture<String> request = new CompletableFuture<>();

        ForwardedConnection(Socket client, Socket server, long process, int number) {
            this.client = client;
            this.server = server;
            this.process = process;
            this.number = number;
        }

        Socket client() {
            return client;
        }

        Socket server() {
            return server;
        }

        void forwardRequests() throws IOException {
            DataInputStream in = forwarded(client, server);
            request.complete(readHead(in));
            in.transferTo(OutputStream.nullOutputStream());
        }

        void forwardResponses() throws IOException {
            DataInputStream in = forwarded(server, client);
            if (readHead(in).startsWith("HTTP/1.1 101 ")) {
                recordFrames(in, openTrace(request.join()));
            } else {
                in.transferTo(OutputStream.nullOutputStream());
            }
        }

        private GatewayConnectionTrace openTrace(String head) {
            Matcher token = TOKEN.matcher(head);
            String participant = token.find()
                    ? ChaosTopicConfig.participantOf(token.group(1)).orElse("")
                    : "";
            boolean directed = head.lines().findFirst().orElse("").contains("mode=directed");
            GatewayConnectionTrace trace =
                    new GatewayConnectionTrace(gateway.name(), process, number, participant, directed);
            traces.add(trace);
            return trace;
        }
    }

    /** Returns a stream of the bytes that one socket receives, each of which it sends on before it returns it. */
    private static DataInputStream forwarded(Socket from, Socket to) throws IOException {
        OutputStream out = to.getOutputStream();
        InputStream in = new FilterInputStream(from.getInputStream()) {
            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                int read = super.read(buffer, offset, length);
                if (read > 0) {
                    out.write(buffer, offset, read);
                }
                return read;
            }
        };
        return new DataInputStream(new BufferedInputStream(in, BUFFER));
    }

    private static String readHead(DataInputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        while (last != HEAD_END) {
            int next = in.readUnsignedByte();
            head.write(next);
            last = last << 8 | next;
        }
        return head.toString(ISO_8859_1);
    }

    private static void recordFrames(DataInputStream in, GatewayConnectionTrace trace) throws IOException {
        while (true) {
            int opcode = in.readUnsignedByte() & 0x0f;
            int length = in.readUnsignedByte();
            long size = length == 127 ? in.readLong() : length == 126 ? in.readUnsignedShort() : length;
            byte[] payload = new byte[Math.toIntExact(size)];
            in.readFully(payload);
            if (opcode == TEXT) {
                trace.record(new ReceivedEnvelope(new String(payload, UTF_8)));
            }
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // The socket cannot be closed further.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        sockets.forEach(RecordingGatewayProxy::closeQuietly);
    }
}
