package dev.gavel.web.http;

import io.netty.util.NetUtil;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the value of a {@code Host} header, and recognizes the names of the machine itself. Stateless. */
public final class HostHeader {
    private static final String LOCAL_SUFFIX = ".localhost";

    /** Other names of the machine itself, which usual systems have in their file of hosts. */
    private static final Set<String> LOOPBACK_NAMES = Set.of(
            "localhost",
            "localhost4",
            "localhost6",
            "localhost.localdomain",
            "localhost4.localdomain4",
            "localhost6.localdomain6",
            "ip6-localhost",
            "ip6-loopback",
            "loopback");

    /** The last label of a host that browsers read as a number: decimal, octal or hexadecimal. */
    private static final Pattern NUMBER = Pattern.compile("\\d+|0x[0-9a-f]*");

    private HostHeader() {}

    /**
     * Returns the host in lower case, an IPv6 address without brackets; empty if the value is missing or malformed. The
     * port is not returned, because a tunnel or a proxy has another.
     */
    public static Optional<String> host(@Nullable String value) {
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

    /** Returns a host without the dot that can end a complete name. The machine behind both names is the same. */
    static String withoutFinalDot(String host) {
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    /** Whether the host is a name or an address of the machine itself. Every program of the machine has this host. */
    public static boolean isLoopback(String host) {
        if (LOOPBACK_NAMES.contains(withoutFinalDot(host))) {
            return true;
        }
        byte[] address = NetUtil.createByteArrayFromIpAddressString(withoutFinalDot(host));
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
        return withoutFinalDot(host).endsWith(LOCAL_SUFFIX);
    }

    /**
     * Whether the host is an IPv4 address that is not written as four decimal numbers, such as {@code 127.1}, {@code
     * 0x7f000001} or {@code 2130706433}. Browsers read every host whose last label is a number as such an address.
     */
    static boolean isUnusualNumber(String host) {
        String name = withoutFinalDot(host);
        return name.indexOf(':') < 0
                && !NetUtil.isValidIpV4Address(name)
                && NUMBER.matcher(name.substring(name.lastIndexOf('.') + 1)).matches();
    }

    /** Whether the host is the address of no machine, such as {@code 0.0.0.0}. It means all addresses of a machine. */
    static boolean isUnspecified(String host) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(withoutFinalDot(host));
        if (address == null) {
            return false;
        }
        if (address.length == 4) {
            return address[0] == 0;
        }
        byte[] mapped = address.clone();
        if (mapped[10] == -1 && mapped[11] == -1) {
            mapped[10] = 0;
            mapped[11] = 0;
        }
        return Arrays.equals(mapped, new byte[16]);
    }
}
