package dev.gavel.app.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between clients and a server, and cuts their connections, mid-frame if it comes to that. Thread-safe. */
final class Cutter implements AutoCloseable {
    private final ServerSocket entrance;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger opened = new AtomicInteger();
    private volatile int target;

    Cutter(int target) throws IOException {
        this.target = target;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return entrance.getLocalPort();
    }

    /** How many connections there have been. */
    int opened() {
        return opened.get();
    }

    /** The server is elsewhere from now on. */
    void target(int port) {
        target = port;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                opened.incrementAndGet();
                Thread.ofVirtual().start(() -> join(client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void join(Socket client) {
        open.add(client);
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            open.add(server);
            Thread back = Thread.ofVirtual().start(() -> pump(server, client));
            pump(client, server);
            back.join();
            open.remove(server);
        } catch (IOException | InterruptedException e) {
            // The server is away: the client sees its connection end, as it would.
        }
        open.remove(client);
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            byte[] buffer = new byte[1 << 10];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                to.getOutputStream().write(buffer, 0, read);
            }
        } catch (IOException e) {
            // Cut.
        }
    }

    /** Cuts every connection there is. */
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
