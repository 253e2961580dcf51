package dev.gavel.web.http;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ShortBuffer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Computes the key by which the limits for each client address count a client. An IPv6 network of 64 bits counts as one
 * address, because one client usually has a whole network. Stateless.
 */
public final class ClientAddressKey {
    /** The number of 16-bit groups in a network of 64 bits. */
    private static final int NETWORK_GROUPS = 4;

    private ClientAddressKey() {}

    /** Returns the name of an address; for IPv6, of its network. */
    public static String of(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return address.getHostAddress();
        }
        ShortBuffer groups = ByteBuffer.wrap(bytes).asShortBuffer();
        return IntStream.range(0, NETWORK_GROUPS)
                .mapToObj(index -> Integer.toHexString(Short.toUnsignedInt(groups.get(index))))
                .collect(Collectors.joining(":", "", "::/64"));
    }
}
