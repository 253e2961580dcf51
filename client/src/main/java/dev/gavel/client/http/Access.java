package dev.gavel.client.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a gateway is, and what lets one in.
 *
 * @param url without a slash at its end
 * @param token empty where none was found: then the gateway says what it thinks of that
 */
public record Access(URI url, Optional<String> token) {
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
    public static boolean local(URI url) {
        String host = url.getHost();
        return host.equalsIgnoreCase("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
    }

    /** Keeps the token out of messages. */
    @Override
    public String toString() {
        return url.toString();
    }
}
