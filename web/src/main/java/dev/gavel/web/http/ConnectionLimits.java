package dev.gavel.web.http;

import java.util.List;

/**
 * The limits of connections that have not authenticated, and of connections of one identity.
 *
 * @param unauthenticated the maximum number of such connections
 * @param unauthenticatedPerAddress the maximum number from one address; loopback addresses and proxies have no such
 *     limit
 * @param perIdentity the maximum number of connections of one identity
 * @param proxies the addresses and networks of proxies in front of the server, such as {@code 10.0.0.0/8}
 */
public record ConnectionLimits(
        int unauthenticated, int unauthenticatedPerAddress, int perIdentity, List<String> proxies) {
    public static final ConnectionLimits DEFAULT = new ConnectionLimits(1000, 100, 10_000, List.of());

    public ConnectionLimits {
        proxies = List.copyOf(proxies);
    }
}
