package dev.gavel.web.http;

import dev.gavel.client.http.ListenAddress;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only host at which the console is served: the host of the public URL or, on a loopback address, a random name
 * below {@code localhost}. Browsers send cookies to all ports of a host, so at a host that other programs can have,
 * such as {@code 127.0.0.1}, another program would receive the session. Without a public URL, the console is not served
 * on other addresses. Thread-safe.
 */
public final class ConsoleHost {
    /** The minimum length of the first label of a configured name below {@code localhost}. */
    private static final int MIN_LOCAL_LABEL = 16;

    private final Optional<URI> publicUrl;
    private final boolean loopback;
    private final Supplier<String> localNameSource;
    private @Nullable String localName;

    /**
     * Creates the console's host.
     *
     * @param localNameSource loads the random name; called at most once, and only if the name is needed
     */
    public ConsoleHost(ListenAddress listenAddress, Optional<URI> publicUrl, Supplier<String> localNameSource) {
        this.publicUrl = publicUrl;
        this.loopback = listenAddress.isLoopback();
        this.localNameSource = localNameSource;
    }

    /** Returns the reason why a URL cannot be the public URL; empty if it can. */
    public static Optional<String> publicUrlProblem(URI url) {
        String host = HostHeader.host(url.getHost()).orElse("");
        if (HostHeader.isUnusualNumber(host) || HostHeader.isUnspecified(host)) {
            return Optional.of("must not have the host '" + url.getHost()
                    + "'. Write the name of the server, or an IP address as four decimal numbers, such as 192.0.2.7");
        }
        if (HostHeader.isLoopback(host)) {
            return Optional.of("must not have the host '" + url.getHost() + "', because a browser sends the console's"
                    + " cookie to all programs at this host. On a loopback address, remove publicUrl: 'gavel console'"
                    + " shows the address of the console. Behind a proxy on your machine, use a name that other"
                    + " programs cannot guess, such as http://gavel-RANDOM.localhost" + port(url));
        }
        return HostHeader.isLocalName(host) && host.indexOf('.') < MIN_LOCAL_LABEL
                ? Optional.of("has a host that other programs on your machine can guess. Use a random name of at least "
                        + MIN_LOCAL_LABEL + " characters, such as http://gavel-RANDOM.localhost" + port(url))
                : Optional.empty();
    }

    private static String port(URI url) {
        return url.getPort() < 0 ? "" : ":" + url.getPort();
    }

    /** Whether the console is served at all. */
    public boolean isServed() {
        return publicUrl.isPresent() || loopback;
    }

    /** Whether the console is served at the random name, so that its port must be bound on all loopback addresses. */
    public boolean isLocal() {
        return publicUrl.isEmpty() && loopback;
    }

    /** Returns the host name; empty if the console is not served. */
    public Optional<String> name() {
        return publicUrl
                .map(url -> url.getHost().toLowerCase(Locale.ROOT))
                .or(() -> loopback ? Optional.of(localName()) : Optional.empty());
    }

    private synchronized String localName() {
        if (localName == null) {
            localName = localNameSource.get() + ".localhost";
        }
        return localName;
    }

    /** Whether the request's {@code Host} header is the console's host. */
    boolean matches(@Nullable String hostHeader) {
        Optional<String> host = HostHeader.host(hostHeader);
        return host.isPresent()
                && name().flatMap(HostHeader::host).filter(host.get()::equals).isPresent();
    }

    /** Compares the request's {@code Host} header with the console's host. */
    public Match match(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.HOST);
        if (!isServed()) {
            return Match.NOT_SERVED;
        }
        if (matches(header)) {
            return Match.CONSOLE;
        }
        return HostHeader.host(header).filter(HostHeader::isLoopback).isPresent() ? Match.LOOPBACK : Match.OTHER;
    }

    /** The relation of a request's host to the console's host. */
    public enum Match {
        /** The request is for the console's host. */
        CONSOLE,
        /** The request is for a loopback address, which serves the API and MCP only. */
        LOOPBACK,
        /** The request is for another host. */
        OTHER,
        /** The console is not served, because there is no public URL. */
        NOT_SERVED
    }
}
