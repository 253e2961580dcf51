package dev.gavel.app.server;

import dev.gavel.app.config.ServerConfig;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.web.console.session.SignInCodes;
import dev.gavel.web.http.ApiBaseUrl;
import dev.gavel.web.http.ConsoleHost;
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
    private final ConsoleHost consoleHost;
    private final ListenAddress listenAddress;
    private final SignInCodes codes;

    ServerUrlBuilder(ServerConfig config, ConsoleHost consoleHost, ListenAddress listenAddress, SignInCodes codes) {
        this.config = config;
        this.consoleHost = consoleHost;
        this.listenAddress = listenAddress;
        this.codes = codes;
    }

    /**
     * The console's URL: the public URL or, on a loopback address, the console's local name; empty if the console is
     * not served. Only for people: other programs must not learn the local name.
     */
    public Optional<URI> consoleUrl() {
        return config.publicUrl()
                .map(url -> url.resolve("/"))
                .or(() -> consoleHost
                        .name()
                        .map(name -> URI.create(scheme() + new ListenAddress(name, listenAddress.port()) + "/")));
    }

    /** The URL at which programs reach the API and MCP. */
    public URI apiUrl() {
        return URI.create(
                ApiBaseUrl.of(listenAddress, config.publicUrl(), config.tls().isPresent()) + "/");
    }

    private String scheme() {
        return config.tls().isPresent() ? "https://" : "http://";
    }

    /** The MCP endpoints of the topics; if there are many, one URL with {@code TOPIC} as a placeholder. */
    public List<URI> mcp() {
        Set<String> topics = config.topics().keySet();
        return (topics.size() <= MAX_LISTED_TOPICS ? topics : Set.of("TOPIC"))
                .stream().map(this::mcp).toList();
    }

    /** The MCP endpoint of a topic. */
    public URI mcp(String topic) {
        return apiUrl().resolve("/mcp/" + topic);
    }

    /**
     * A link that signs in an identity, once and for a limited time, as its configured token would; empty if it has no
     * token, or if the console is not served. The link is a secret until it is used.
     */
    public Optional<URI> signInUrl(String identity) {
        return Optional.ofNullable(config.identities().get(identity))
                .flatMap(Identity::token)
                .flatMap(token -> consoleUrl().map(url -> url.resolve("/sign-in?code=" + codes.issue(token))));
    }
}
