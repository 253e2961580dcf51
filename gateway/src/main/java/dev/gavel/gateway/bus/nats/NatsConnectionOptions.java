package dev.gavel.gateway.bus.nats;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The servers, credentials and subject prefix with which a process connects to NATS. Immutable.
 *
 * @param servers any of which will do; {@code tls://} where the connection is to be encrypted
 * @param credentials a file with them, as NATS tools write it
 * @param prefix the first word of every subject
 * @param name what the server calls the connection in its own log
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

    /** The servers without what an address may hold of secrets. */
    @Override
    public String toString() {
        return servers.stream().map(NatsConnectionOptions::hostAndPort).collect(Collectors.joining(", "));
    }

    static String hostAndPort(URI server) {
        return server.getPort() < 0 ? server.getHost() : server.getHost() + ":" + server.getPort();
    }
}
