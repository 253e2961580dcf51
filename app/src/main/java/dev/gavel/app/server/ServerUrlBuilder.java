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
public final class ServerUrlBuilder {
    private static final int MAX_LISTED_TOPICS = 4;

    private final ServerConfig config;
    private final ListenAddress listenAddress;
    private final SignInCodes codes;

    ServerUrlBuilder(ServerConfig config, ListenAddress listenAddress, SignInCodes codes) {
        this.config = config;
        this.listenAddress = listenAddress;
        this.codes = codes;
    }

    /** The console's URL: the public URL, or else the listen address. */
    public URI consoleUrl() {
        return config.publicUrl()
                .map(url -> url.resolve("/"))
                .orElseGet(() ->
                        URI.create((config.tls().isPresent() ? "https://" : "http://") + connectableAddress() + "/"));
    }

    /** The MCP endpoints of the topics; if there are many, one URL with {@code TOPIC} as a placeholder. */
    public List<URI> mcp() {
        Set<String> topics = config.topics().keySet();
        return (topics.size() <= MAX_LISTED_TOPICS ? topics : Set.of("TOPIC"))
                .stream().map(this::mcp).toList();
    }

    /** The MCP endpoint of a topic. */
    public URI mcp(String topic) {
        return consoleUrl().resolve("/mcp/" + topic);
    }

    /**
     * A link that signs in an identity, once and for a limited time, as its configured token would; empty if it has no
     * token. The link is a secret until it is used.
     */
    public Optional<URI> signInUrl(String identity) {
        return Optional.ofNullable(config.identities().get(identity))
                .flatMap(Identity::token)
                .map(token -> consoleUrl().resolve("/sign-in?code=" + codes.issue(token)));
    }

    /** An address that clients can connect to, if the server listens on all addresses. */
    private ListenAddress connectableAddress() {
        return switch (listenAddress.host()) {
            case "0.0.0.0" -> new ListenAddress("127.0.0.1", listenAddress.port());
            case "::" -> new ListenAddress("::1", listenAddress.port());
            default -> listenAddress;
        };
    }
}
