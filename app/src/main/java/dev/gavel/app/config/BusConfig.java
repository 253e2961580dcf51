package dev.gavel.app.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which bus connects gateway processes: none, or NATS with its addresses and credentials. */
public sealed interface BusConfig {
    /** Nothing: there is one process. */
    record Memory() implements BusConfig {}

    /**
     * NATS.
     *
     * @param servers any of which will do
     * @param credentials a file with them, as NATS tools write it
     * @param prefix what subjects begin with, so that several installations can share NATS
     */
    record Nats(
            List<URI> servers,
            Optional<String> user,
            Optional<String> password,
            Optional<String> token,
            Optional<Path> credentials,
            String prefix)
            implements BusConfig {
        public Nats {
            servers = List.copyOf(servers);
        }

        /** Keeps secrets out of logs and messages: an address may hold one too. */
        @Override
        public String toString() {
            return "Nats[…]";
        }
    }
}
