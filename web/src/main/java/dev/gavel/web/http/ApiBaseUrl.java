package dev.gavel.web.http;

import dev.gavel.client.http.ListenAddress;
import java.net.URI;
import java.util.Optional;

/**
 * Builds the URL at which programs reach the API and MCP. It never contains a name below {@code localhost}: such a name
 * protects the console's session, and most programs cannot resolve it. Stateless.
 */
public final class ApiBaseUrl {
    private ApiBaseUrl() {}

    /**
     * Returns the URL, without a trailing slash.
     *
     * @param listenAddress the address that the server listens on, with the actual port
     * @param tls whether the server itself uses TLS
     */
    public static String of(ListenAddress listenAddress, Optional<URI> publicUrl, boolean tls) {
        if (publicUrl.isEmpty()) {
            return (tls ? "https://" : "http://") + connectable(listenAddress);
        }
        URI url = publicUrl.get();
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        String host = isLocalName(url) ? ListenAddress.DEFAULT.host() : url.getHost();
        return url.getScheme() + "://" + host + port;
    }

    /** Returns the public URL if programs and people elsewhere can use it; empty if it is a local name. */
    public static Optional<URI> shareable(Optional<URI> publicUrl) {
        return publicUrl.filter(url -> !isLocalName(url));
    }

    private static boolean isLocalName(URI url) {
        return HostHeader.host(url.getHost()).filter(HostHeader::isLocalName).isPresent();
    }

    /** Returns an address that clients can connect to, if the server listens on all addresses. */
    private static ListenAddress connectable(ListenAddress listenAddress) {
        return switch (listenAddress.host()) {
            case "0.0.0.0" -> new ListenAddress("127.0.0.1", listenAddress.port());
            case "::" -> new ListenAddress("::1", listenAddress.port());
            default -> listenAddress;
        };
    }
}
