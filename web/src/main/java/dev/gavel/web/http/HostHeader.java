package dev.gavel.web.http;

import io.netty.util.NetUtil;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses the value of a {@code Host} header, and recognizes the names of the machine itself. Stateless. */
final class HostHeader {
    private static final String LOCAL_SUFFIX = ".localhost";

    private HostHeader() {}

    /**
     * Returns the host in lower case, an IPv6 address without brackets; empty if the value is missing or malformed. The
     * port is not returned, because a tunnel or a proxy has another.
     */
    static Optional<String> host(@Nullable String value) {
        if (value == null) {
            return Optional.empty();
        }
        if (value.startsWith("[")) {
            int end = value.indexOf(']');
            return end > 0 && NetUtil.isValidIpV6Address(value.substring(1, end)) && isPort(value.substring(end + 1))
                    ? Optional.of(value.substring(1, end).toLowerCase(Locale.ROOT))
                    : Optional.empty();
        }
        int colon = value.indexOf(':');
        String host = (colon < 0 ? value : value.substring(0, colon)).toLowerCase(Locale.ROOT);
        return host.isEmpty() || (colon >= 0 && !isPort(value.substring(colon))) ? Optional.empty() : Optional.of(host);
    }

    private static boolean isPort(String rest) {
        return rest.isEmpty() || rest.matches(":\\d{1,5}");
    }

    /** Whether the host is an IP address, as {@link #host} returns it. */
    static boolean isIpAddress(String host) {
        return NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
    }

    /** Whether the host is {@code localhost} or a loopback address. Every program of the machine has this host. */
    static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        if (address == null) {
            return false;
        }
        if (address.length == 4) {
            return address[0] == 127;
        }
        for (int i = 0; i < 15; i++) {
            if (address[i] != 0) {
                return isMappedLoopback(address);
            }
        }
        return address[15] == 1;
    }

    /** Whether an IPv6 address is {@code ::ffff:127.x.x.x}. */
    private static boolean isMappedLoopback(byte[] address) {
        for (int i = 0; i < 10; i++) {
            if (address[i] != 0) {
                return false;
            }
        }
        return address[10] == -1 && address[11] == -1 && address[12] == 127;
    }

    /** Whether the host is a name below {@code localhost}, which browsers resolve to this machine. */
    static boolean isLocalName(String host) {
        return host.endsWith(LOCAL_SUFFIX);
    }
}
