package dev.gavel.web.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the Host header against the server's own names, to prevent DNS rebinding. A page of another site can have its
 * own name resolve to this machine and then has the same origin as what is served under that name. So anything that a
 * browser can use with credentials it stores for this server is served only under the server's own names. These are
 * {@code localhost}, the host that the server listens on, the host of the public URL, and IP addresses, which no name
 * server can redirect. The port is not checked, because a tunnel or a proxy has another. Immutable.
 */
public final class AllowedHosts {
    /** The response to a request under another host name. */
    public static final HttpProblem FOREIGN_HOST = new HttpProblem(
            403,
            "foreign_host",
            "this server does not accept this host name; set publicUrl to the URL that clients use");

    private final Set<String> names = new HashSet<>();

    /**
     * Creates the names of a server.
     *
     * @param listenHost the host that the server listens on
     */
    public AllowedHosts(String listenHost, Optional<URI> publicUrl) {
        names.add("localhost");
        names.add(listenHost.toLowerCase(Locale.ROOT));
        publicUrl.map(URI::getHost).map(host -> host.toLowerCase(Locale.ROOT)).ifPresent(names::add);
    }

    /** Whether the request's {@code Host} header is one of the server's names. */
    public boolean allows(HttpServerRequest request) {
        return isOwnHost(request.getHeader(HttpHeaders.HOST));
    }

    /** Whether the value of a {@code Host} header is one of the server's names. */
    boolean isOwnHost(@Nullable String value) {
        return HostHeader.host(value)
                .filter(host -> names.contains(host) || HostHeader.isIpAddress(host))
                .isPresent();
    }
}
