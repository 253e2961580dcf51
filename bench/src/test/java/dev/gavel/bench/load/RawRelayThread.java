package dev.gavel.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/** Runs a {@link RawRelay} on its own thread until closed. */
final class RawRelayThread implements AutoCloseable {
    private final RawRelay relay;
    private final Thread thread;

    RawRelayThread(int backlogLimit) throws IOException {
        relay = RawRelay.open(backlogLimit);
        thread = Thread.ofPlatform().name("relay").start(() -> {
            try {
                relay.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    InetSocketAddress address() {
        return relay.address();
    }

    @Override
    public void close() {
        relay.close();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
