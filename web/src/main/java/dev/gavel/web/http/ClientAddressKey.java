package dev.gavel.web.http;

import java.net.InetAddress;
import java.util.HexFormat;

/**
 * Computes the key by which the limits for each client address count a client. An IPv6 network of 64 bits counts as one
 * address, because one client usually has a whole network. Stateless.
 */
public final class ClientAddressKey {
    private static final int NETWORK_BYTES = 8;

    private ClientAddressKey() {}

    /** Returns the name of an address; for IPv6, of its network. */
    public static String of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4
                ? address.getHostAddress()
                : HexFormat.ofDelimiter(":").formatHex(bytes, 0, NETWORK_BYTES) + "::/64";
    }
}
