package dev.gavel.web.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * Checks the Origin header of a request, so that web pages of other sites cannot use the server. A request without an
 * {@code Origin} does not come from a page and passes. A request from a page of another site is refused, whatever
 * credential the browser adds. Immutable.
 */
public final class AllowedOrigins {
    private final Optional<URI> publicUrl;
    private final boolean tls;

    public AllowedOrigins(Optional<URI> publicUrl, boolean tls) {
        this.publicUrl = publicUrl;
        this.tls = tls;
    }

    /** Whether the request comes from one of the server's own pages or from no page. */
    public boolean allows(HttpServerRequest request) {
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin == null) {
            return true;
        }
        if (publicUrl
                .map(AllowedOrigins::originOf)
                .filter(origin::equalsIgnoreCase)
                .isPresent()) {
            return true;
        }
        String host = request.getHeader(HttpHeaders.HOST);
        return host != null && origin.equalsIgnoreCase((tls ? "https://" : "http://") + host);
    }

    private static String originOf(URI url) {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getScheme().toLowerCase(Locale.ROOT) + "://" + url.getHost() + port;
    }
}
