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
 * @param url without a slash at its end
 * @param token empty where none was found: then the gateway says what it thinks of that
 * @param otherUrls where else it is, the next first: processes that serve the same topics
 */
public record GatewayEndpoint(URI url, Optional<String> token, List<URI> otherUrls) {
    public GatewayEndpoint {
        otherUrls = List.copyOf(otherUrls);
    }

    /** Where a gateway is that has one address. */
    public GatewayEndpoint(URI url, Optional<String> token) {
        this(url, token, List.of());
    }

    /** Where a gateway is that has one address, or several. */
    public static GatewayEndpoint of(List<URI> urls, Optional<String> token) {
        return new GatewayEndpoint(urls.getFirst(), token, urls.subList(1, urls.size()));
    }

    /** All its addresses, this one first. */
    public List<URI> urls() {
        return Stream.concat(Stream.of(url), otherUrls.stream()).toList();
    }

    /** The same gateway by its next address; this one is the last then. */
    GatewayEndpoint rotate() {
        return otherUrls.isEmpty()
                ? this
                : new GatewayEndpoint(
                        otherUrls.getFirst(),
                        token,
                        Stream.concat(otherUrls.stream().skip(1), Stream.of(url))
                                .toList());
    }

    /** Reads the URLs of a gateway, with commas between them where there are several; empty where one is none. */
    public static Optional<List<URI>> urls(String text) {
        List<Optional<URI>> read = Arrays.stream(text.split(",", -1))
                .map(each -> url(each.strip()))
                .toList();
        return read.stream().allMatch(Optional::isPresent)
                ? Optional.of(read.stream().flatMap(Optional::stream).toList())
                : Optional.empty();
    }

    /** Reads the URL of a gateway; empty where it is none. */
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

    /** Whether that is this machine: only there a token found in a local file may be sent. */
    public static boolean isLocal(URI url) {
        String host = url.getHost();
        return host.equalsIgnoreCase("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
    }

    /** Keeps the token out of messages. */
    @Override
    public String toString() {
        return url.toString();
    }
}
