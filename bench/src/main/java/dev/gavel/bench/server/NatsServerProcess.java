package dev.gavel.bench.server;

import dev.gavel.bench.load.RunFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/** Starts a NATS server as a benchmark reference and waits until it listens. */
public record NatsServerProcess(ServerProcess process, InetSocketAddress address) {
    private static final Duration START = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 10;
    private static final int CONNECT_MILLIS = 1_000;

    /** Starts a server that ends with the workspace, and returns when it listens. */
    public static NatsServerProcess start(RunWorkspace runWorkspace) throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        ServerProcess nats = runWorkspace.start(
                "nats-server",
                List.of(ClusterNats.findProgram(System::getenv), "-a", "127.0.0.1", "-p", Integer.toString(port)));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        long end = System.nanoTime() + START.toNanos();
        while (!isListening(address)) {
            if (System.nanoTime() > end || !nats.isAlive()) {
                throw new RunFailedException("nats-server did not start. " + nats.outputTail());
            }
            Thread.sleep(POLL_MILLIS);
        }
        return new NatsServerProcess(nats, address);
    }

    private static boolean isListening(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_MILLIS);
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
