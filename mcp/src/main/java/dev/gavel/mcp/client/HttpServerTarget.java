package dev.gavel.mcp.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The URL of an MCP server and the HTTP headers to send with every request. Immutable.
 *
 * @param headers sent with every request; may hold secrets
 */
public record HttpServerTarget(URI url, Map<String, String> headers) implements ServerTarget {
    public HttpServerTarget {
        headers = new LinkedHashMap<>(headers);
    }

    /** Parses a URL without user info. Returns empty if the text is not an HTTP URL. */
    public static Optional<URI> url(String text) {
        try {
            URI uri = URI.create(text);
            boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            return web && uri.getHost() != null && uri.getUserInfo() == null && uri.getFragment() == null
                    ? Optional.of(uri)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether HTTP allows such a header. */
    public static boolean isValidHeader(String name, String value) {
        try {
            HttpRequest.newBuilder().header(name, value);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public McpTransport newTransport(String name, int maxMessageBytes) {
        return new StreamableHttpTransport(name, this, maxMessageBytes);
    }

    /** Returns the URL for logs, without the query, which may hold a secret. */
    public String redactedUrl() {
        return url.getScheme() + "://" + url.getRawAuthority() + (url.getRawPath() == null ? "" : url.getRawPath());
    }

    /** Contains no secrets. */
    @Override
    public String toString() {
        return "Endpoint[" + redactedUrl() + ", headers=" + headers.keySet() + "]";
    }
}
