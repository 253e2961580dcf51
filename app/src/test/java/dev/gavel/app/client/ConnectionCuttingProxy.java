package dev.gavel.app.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A TCP proxy between clients and a server that cuts connections, even within a frame. Thread-safe. */
final class ConnectionCuttingProxy implements AutoCloseable {
    private final ServerSocket entrance;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile int target;

    ConnectionCuttingProxy(int target) throws IOException {
        this.target = target;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return entrance.getLocalPort();
    }

    /** The queries of all WebSocket connections requested so far. */
    List<String> sockets() {
        return requests.stream().filter(each -> each.startsWith("GET /ws?")).toList();
    }

    /** Forwards new connections to another port. */
    void target(int port) {
        target = port;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                Thread.ofVirtual().start(() -> join(client));
            }
        } catch (IOException e) {
            // The proxy was closed.
        }
    }

    private void join(Socket client) {
        open.add(client);
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            open.add(server);
            Thread back = Thread.ofVirtual().start(() -> pump(server, client, first -> {}));
            pump(client, server, requests::add);
            back.join();
            open.remove(server);
        } catch (IOException | InterruptedException e) {
            // The server is unavailable: the client sees its connection end, as it would without the proxy.
        }
        open.remove(client);
    }

    private static void pump(Socket from, Socket to, Consumer<String> firstLine) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            byte[] buffer = new byte[1 << 10];
            boolean first = true;
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (first) {
                    firstLine.accept(new String(buffer, 0, read, StandardCharsets.US_ASCII)
                            .lines()
                            .findFirst()
                            .orElse(""));
                    first = false;
                }
                to.getOutputStream().write(buffer, 0, read);
            }
        } catch (IOException e) {
            // The connection was cut.
        }
    }

    /** Cuts all open connections. */
    void cut() throws IOException {
        for (Socket each : open) {
            each.close();
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        cut();
    }
}
