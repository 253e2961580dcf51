package dev.gavel.web.mcp;

import dev.gavel.web.http.ApiBaseUrl;
import dev.gavel.web.http.HostHeader;
import dev.gavel.web.http.WebConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Optional;

/**
 * The URLs of the MCP endpoints as OAuth resources, and of their metadata (RFC 9728). They begin with the public URL, or
 * with the host that the request names. Immutable.
 */
public final class McpResourceUrls {
    private static final String METADATA_PATH = "/.well-known/oauth-protected-resource";
    private static final String MCP_PATH = "/mcp/";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /** The scheme, host and port that clients use; empty if the request decides. */
    private final Optional<String> publicBase;

    private final boolean tls;

    public McpResourceUrls(WebConfig config) {
        this.tls = config.tls().isPresent();
        this.publicBase = ApiBaseUrl.shareable(config.publicUrl())
                .map(url -> ApiBaseUrl.of(config.listenAddress(), Optional.of(url), tls));
    }

    /** The URL of a topic's MCP endpoint, as the client of a request names it. */
    String resource(HttpServerRequest request, String topic) {
        return base(request) + MCP_PATH + topic;
    }

    /** The URL of the metadata of a topic's MCP endpoint. */
    String metadata(HttpServerRequest request, String topic) {
        return base(request) + METADATA_PATH + MCP_PATH + topic;
    }

    /** The path of the metadata of all topics, for the router. */
    static String metadataRoute() {
        return METADATA_PATH + MCP_PATH + ":topic";
    }

    /**
     * The URL of a topic's MCP endpoint as the expected audience of a token: from the public URL, or from a host
     * header that names this server's loopback address. Empty for any other host header: a client could name another
     * server there, and use a token here that was issued for that server.
     */
    Optional<String> trustedResource(HttpServerRequest request, String topic) {
        return publicBase.isPresent() || isOwnLoopbackAddress(request)
                ? Optional.of(resource(request, topic))
                : Optional.empty();
    }

    private String base(HttpServerRequest request) {
        return publicBase.orElseGet(() -> (tls ? "https://" : "http://") + hostHeader(request));
    }

    private boolean isOwnLoopbackAddress(HttpServerRequest request) {
        String value = hostHeader(request);
        int port = request.localAddress().port();
        boolean samePort = value.endsWith(":" + port)
                || (port == (tls ? HTTPS_PORT : HTTP_PORT)
                        && HostHeader.host(value).filter(value::equals).isPresent());
        return samePort && HostHeader.host(value).filter(HostHeader::isLoopback).isPresent();
    }

    private static String hostHeader(HttpServerRequest request) {
        String value = request.getHeader(HttpHeaders.HOST);
        return value == null ? "" : value.toLowerCase(Locale.ROOT);
    }
}
