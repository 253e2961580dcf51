package dev.gavel.app.server;

import dev.gavel.app.config.Config;
import dev.gavel.app.config.Listen;
import dev.gavel.app.edge.console.session.SignInCodes;
import dev.gavel.app.identity.Identity;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Addresses to give to people. Thread-safe. */
public final class Links {
    private static final int MOST_TOPICS = 4;

    private final Config config;
    private final Listen listen;
    private final SignInCodes codes;

    Links(Config config, Listen listen, SignInCodes codes) {
        this.config = config;
        this.listen = listen;
        this.codes = codes;
    }

    /** Where the console is: the public URL, else where the server listens. */
    public URI console() {
        return config.publicUrl()
                .map(url -> url.resolve("/"))
                .orElseGet(() -> URI.create((config.tls().isPresent() ? "https://" : "http://") + reachable() + "/"));
    }

    /** Where the topics are MCP servers; where they are many, that address with {@code TOPIC} for the name. */
    public List<URI> mcp() {
        Set<String> topics = config.topics().keySet();
        return (topics.size() <= MOST_TOPICS ? topics : Set.of("TOPIC"))
                .stream().map(this::mcp).toList();
    }

    /** Where a topic is an MCP server. */
    public URI mcp(String topic) {
        return console().resolve("/mcp/" + topic);
    }

    /**
     * A link that signs somebody in, once and for a while, as if with the token of the configuration; nothing where there
     * is none. It is a secret until it is used.
     */
    public Optional<URI> signIn(String identity) {
        return Optional.ofNullable(config.identities().get(identity))
                .flatMap(Identity::token)
                .map(token -> console().resolve("/sign-in?code=" + codes.issue(token)));
    }

    /** Nobody can connect to every address at once. */
    private Listen reachable() {
        return switch (listen.host()) {
            case "0.0.0.0" -> new Listen("127.0.0.1", listen.port());
            case "::" -> new Listen("::1", listen.port());
            default -> listen;
        };
    }
}
