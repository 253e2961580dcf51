package dev.gavel.app.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which bus connects gateway processes: none, or NATS with its addresses and credentials. */
public sealed interface BusConfig {
    /** No bus: there is a single process. */
    record Memory() implements BusConfig {}

    /**
     * A NATS bus.
     *
     * @param servers alternative addresses of the same NATS system
     * @param credentials a credentials file, as NATS tools write it
     * @param prefix the prefix of all subjects, so that several installations can share NATS
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

        /** Hides secrets from logs and messages: an address may contain one, too. */
        @Override
        public String toString() {
            return "Nats[…]";
        }
    }
}
