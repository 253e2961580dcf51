package dev.gavel.web;

import dev.gavel.client.http.ListenAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the addresses on which the server binds its port. A browser resolves the console's local name to 127.0.0.1
 * or to ::1. If the console has such a name, the server binds the port on both, so that no other program can receive
 * the console's session there. Stateless.
 */
final class ListenHosts {
    private static final Logger log = LoggerFactory.getLogger(ListenHosts.class);

    private static final String IPV4_LOOPBACK = "127.0.0.1";
    private static final String IPV6_LOOPBACK = "::1";

    private ListenHosts() {}

    /**
     * Returns the hosts to bind, the configured one first.
     *
     * @param localConsole whether the console is served at a name below {@code localhost}
     */
    static List<String> of(ListenAddress listenAddress, boolean localConsole) {
        if (!localConsole) {
            return List.of(listenAddress.host());
        }
        Map<InetAddress, String> hosts = new LinkedHashMap<>();
        hosts.put(address(listenAddress.host()), listenAddress.host());
        hosts.putIfAbsent(address(IPV4_LOOPBACK), IPV4_LOOPBACK);
        if (hasIpv6Loopback()) {
            hosts.putIfAbsent(address(IPV6_LOOPBACK), IPV6_LOOPBACK);
        } else if (Boolean.getBoolean("java.net.preferIPv4Stack")) {
            log.warn(
                    "This process does not use IPv6 (java.net.preferIPv4Stack), so it cannot bind the console's port on"
                            + " ::1. Another program on this machine can, and would receive the console's session.");
        }
        return List.copyOf(hosts.values());
    }

    /** Whether this process can bind ::1. If the machine has no IPv6, no other program can bind it either. */
    private static boolean hasIpv6Loopback() {
        try (ServerSocket probe = new ServerSocket(0, 1, address(IPV6_LOOPBACK))) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("cannot resolve the address to listen on: " + host, e);
        }
    }
}
