package dev.gavel.app.server;

import dev.gavel.app.config.Config;
import dev.gavel.app.config.Listen;
import dev.gavel.app.edge.console.session.SignInCodes;
import dev.gavel.app.identity.Identity;
import java.net.URI;
import java.util.Optional;

/** Addresses to give to people. Thread-safe. */
public final class Links {
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
