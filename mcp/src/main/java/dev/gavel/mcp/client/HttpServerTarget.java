package dev.gavel.mcp.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The URL of an MCP server and the HTTP headers to send with every request. Immutable.
 *
 * @param headers sent with every request; may hold secrets
 */
public record HttpServerTarget(URI url, Map<String, String> headers) implements ServerTarget {
    private static final int MIN_SECRET_LENGTH = 6;

    /** The first words of an Authorization header. */
    private static final Set<String> SCHEMES = Set.of("bearer", "digest", "negotiate");

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

    /**
     * Returns a server's text without the header values and query values that requests contain, which may be secrets.
     * Values that are too short to be secrets stay.
     */
    String withoutSecrets(String text) {
        Stream<String> headerValues = headers.values().stream()
                .flatMap(value -> Stream.concat(Stream.of(value), Stream.of(value.split("\\s+"))));
        Stream<String> queryValues = Stream.concat(
                        Stream.ofNullable(url.getRawQuery()), Stream.ofNullable(url.getQuery()))
                .flatMap(query -> Stream.of(query.split("&")))
                .map(field -> field.substring(field.indexOf('=') + 1));
        List<String> secrets = Stream.concat(headerValues, queryValues)
                .filter(value ->
                        value.length() >= MIN_SECRET_LENGTH && !SCHEMES.contains(value.toLowerCase(Locale.ROOT)))
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String redacted = text;
        for (String secret : secrets) {
            redacted = redacted.replace(secret, "***");
        }
        return redacted;
    }

    /** Contains no secrets. */
    @Override
    public String toString() {
        return "Endpoint[" + redactedUrl() + ", headers=" + headers.keySet() + "]";
    }
}
