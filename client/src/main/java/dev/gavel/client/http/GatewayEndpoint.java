package dev.gavel.client.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The addresses of a gateway and the token that the client sends to it. Immutable.
 *
 * @param url the current address, without a trailing slash
 * @param token the token; empty if none was found, in which case the gateway decides whether to refuse the request
 * @param otherUrls the other addresses, the next one first: processes that serve the same topics
 */
public record GatewayEndpoint(URI url, Optional<String> token, List<URI> otherUrls) {
    public GatewayEndpoint {
        otherUrls = List.copyOf(otherUrls);
    }

    /** Creates an endpoint with one address. */
    public GatewayEndpoint(URI url, Optional<String> token) {
        this(url, token, List.of());
    }

    /** Creates an endpoint with one or more addresses. */
    public static GatewayEndpoint of(List<URI> urls, Optional<String> token) {
        return new GatewayEndpoint(urls.getFirst(), token, urls.subList(1, urls.size()));
    }

    /** Returns all addresses, the current one first. */
    public List<URI> urls() {
        return Stream.concat(Stream.of(url), otherUrls.stream()).toList();
    }

    /** Returns the endpoint with the next address as the current one; this address becomes the last. */
    GatewayEndpoint rotate() {
        return otherUrls.isEmpty()
                ? this
                : new GatewayEndpoint(
                        otherUrls.getFirst(),
                        token,
                        Stream.concat(otherUrls.stream().skip(1), Stream.of(url))
                                .toList());
    }

    /** Parses the URLs of a gateway, separated by commas; empty if any of them is invalid. */
    public static Optional<List<URI>> urls(String text) {
        List<Optional<URI>> read = Arrays.stream(text.split(",", -1))
                .map(each -> url(each.strip()))
                .toList();
        return read.stream().allMatch(Optional::isPresent)
                ? Optional.of(read.stream().flatMap(Optional::stream).toList())
                : Optional.empty();
    }

    /** Parses the URL of a gateway; empty if it is invalid. */
    public static Optional<URI> url(String text) {
        try {
            URI url = new URI(text.replaceFirst("/+$", ""));
            String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
            boolean fits = (scheme.equals("http") || scheme.equals("https"))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null;
            return fits ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** Whether the URL is on this machine: a token from a local file may be sent only there. */
    public static boolean isLocal(URI url) {
        String host = url.getHost();
        return host.equalsIgnoreCase("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
    }

    /** Returns the current address only, so that the token does not appear in messages. */
    @Override
    public String toString() {
        return url.toString();
    }
}
