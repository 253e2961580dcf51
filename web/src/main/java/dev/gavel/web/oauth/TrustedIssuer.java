package dev.gavel.web.oauth;

import dev.gavel.mcpx.ValueParseResult;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An authorization server whose access tokens the MCP endpoint accepts. Immutable.
 *
 * @param url the issuer identifier, exactly as in the claim {@code iss} and in the metadata of the issuer
 * @param audience the audience of its tokens; if empty, the URL of the topic's MCP endpoint
 * @param identityClaim the claim that contains the id of the Gavel identity
 */
public record TrustedIssuer(String url, Optional<String> audience, String identityClaim) {
    public static final String DEFAULT_IDENTITY_CLAIM = "sub";

    private static final Set<String> LOOPBACK_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Checks the URL of an issuer. The problem continues a sentence that begins with the name of the setting. */
    public static ValueParseResult<String> parseUrl(String text) {
        try {
            URI url = URI.create(text);
            if (url.getHost() != null && ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))) {
                if (url.getRawQuery() != null || url.getRawFragment() != null || url.getUserInfo() != null) {
                    return new ValueParseResult.Invalid<>("must not contain a user, a query or a fragment");
                }
                return isProtected(url)
                        ? new ValueParseResult.Valid<>(text)
                        : new ValueParseResult.Invalid<>(
                                "must use https; http is allowed only for localhost, 127.0.0.1 and [::1]");
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        return new ValueParseResult.Invalid<>("must be a URL such as https://login.example.org, not '" + text + "'");
    }

    /** Whether the connection to this URL is encrypted, or does not leave the machine. */
    static boolean isProtected(URI url) {
        return "https".equals(url.getScheme())
                || ("http".equals(url.getScheme()) && url.getHost() != null && LOOPBACK_HOSTS.contains(url.getHost()));
    }

    /**
     * The URLs at which the metadata of the issuer can be: that of OAuth (RFC 8414), and the two forms of OpenID
     * Connect.
     */
    List<URI> metadataUrls() {
        URI issuer = URI.create(url);
        String origin = issuer.getScheme() + "://" + issuer.getRawAuthority();
        String path = issuer.getRawPath().replaceFirst("/$", "");
        List<URI> urls = new ArrayList<>();
        urls.add(URI.create(origin + "/.well-known/oauth-authorization-server" + path));
        if (!path.isEmpty()) {
            urls.add(URI.create(origin + "/.well-known/openid-configuration" + path));
        }
        urls.add(URI.create(origin + path + "/.well-known/openid-configuration"));
        return List.copyOf(urls);
    }
}
