package dev.gavel.app.server;

import dev.gavel.app.config.ServerConfig;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.web.console.session.SignInCodes;
import dev.gavel.web.identity.Identity;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Builds the URLs that the server prints for people: console, MCP endpoints and one-time sign-in links. Thread-safe.
 */
public final class ServerLinks {
    private static final int MAX_LISTED_TOPICS = 4;

    private final ServerConfig config;
    private final ListenAddress listenAddress;
    private final SignInCodes codes;

    ServerLinks(ServerConfig config, ListenAddress listenAddress, SignInCodes codes) {
        this.config = config;
        this.listenAddress = listenAddress;
        this.codes = codes;
    }

    /** Where the console is: the public URL, else where the server listens. */
    public URI consoleUrl() {
        return config.publicUrl()
                .map(url -> url.resolve("/"))
                .orElseGet(() ->
                        URI.create((config.tls().isPresent() ? "https://" : "http://") + connectableAddress() + "/"));
    }

    /** Where the topics are MCP servers; where they are many, that address with {@code TOPIC} for the name. */
    public List<URI> mcp() {
        Set<String> topics = config.topics().keySet();
        return (topics.size() <= MAX_LISTED_TOPICS ? topics : Set.of("TOPIC"))
                .stream().map(this::mcp).toList();
    }

    /** Where a topic is an MCP server. */
    public URI mcp(String topic) {
        return consoleUrl().resolve("/mcp/" + topic);
    }

    /**
     * A link that signs somebody in, once and for a while, as if with the token of the configuration; nothing where there
     * is none. It is a secret until it is used.
     */
    public Optional<URI> signInUrl(String identity) {
        return Optional.ofNullable(config.identities().get(identity))
                .flatMap(Identity::token)
                .map(token -> consoleUrl().resolve("/sign-in?code=" + codes.issue(token)));
    }

    /** Nobody can connect to every address at once. */
    private ListenAddress connectableAddress() {
        return switch (listenAddress.host()) {
            case "0.0.0.0" -> new ListenAddress("127.0.0.1", listenAddress.port());
            case "::" -> new ListenAddress("::1", listenAddress.port());
            default -> listenAddress;
        };
    }
}
