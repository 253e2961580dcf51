package dev.gavel.web.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * Adds the header that makes browsers use only TLS for the server's host (HSTS, RFC 6797). The header is sent if the
 * server itself uses TLS, or if the request is for the host of an {@code https} public URL, where a proxy uses TLS. It
 * is never sent for {@code localhost}, because it would also apply to the other programs there. Immutable.
 */
public final class StrictTransportSecurity {
    private static final String ONE_YEAR = "max-age=31536000";

    private final boolean tls;
    private final Optional<String> secureHost;

    public StrictTransportSecurity(WebConfig config) {
        this.tls = config.tls().isPresent();
        this.secureHost =
                config.publicUrl().filter(url -> config.isSecure()).flatMap(url -> HostHeader.host(url.getHost()));
    }

    /** Adds the header to the response of a request, if it applies. */
    public void apply(HttpServerRequest request) {
        if (!tls && secureHost.isEmpty()) {
            return;
        }
        Optional<String> host = HostHeader.host(request.getHeader(HttpHeaders.HOST));
        boolean secure = tls ? !host.equals(Optional.of("localhost")) : host.equals(secureHost);
        if (secure) {
            request.response().putHeader("Strict-Transport-Security", ONE_YEAR);
        }
    }
}
