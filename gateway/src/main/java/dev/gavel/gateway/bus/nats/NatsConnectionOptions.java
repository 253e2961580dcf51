package dev.gavel.gateway.bus.nats;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a process connects to NATS: servers, credentials, and the prefix of all NATS subjects (message addresses) that it
 * uses. Immutable.
 *
 * @param servers any one of them is enough; {@code tls://} for an encrypted connection
 * @param credentials a credentials file, as NATS tools write it
 * @param prefix the first word of every subject
 * @param name the connection's name in the server's log
 */
public record NatsConnectionOptions(
        List<URI> servers,
        Optional<String> user,
        Optional<String> password,
        Optional<String> token,
        Optional<Path> credentials,
        String prefix,
        String name) {
    public NatsConnectionOptions {
        servers = List.copyOf(servers);
    }

    /** The servers' hosts and ports, without secrets that an address may contain. */
    @Override
    public String toString() {
        return servers.stream().map(NatsConnectionOptions::hostAndPort).collect(Collectors.joining(", "));
    }

    static String hostAndPort(URI server) {
        return server.getPort() < 0 ? server.getHost() : server.getHost() + ":" + server.getPort();
    }
}
