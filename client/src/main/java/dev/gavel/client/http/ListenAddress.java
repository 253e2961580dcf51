package dev.gavel.client.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** The host and port that a server listens on; parses {@code HOST:PORT}, default {@code 127.0.0.1:4285}. */
public record ListenAddress(String host, int port) {
    /** 4285 is GAVL on a phone keypad. */
    public static final ListenAddress DEFAULT = new ListenAddress("127.0.0.1", 4285);

    public static final String EXPECTED = "HOST:PORT, such as 127.0.0.1:4285";

    /** Parses {@code HOST:PORT}; an IPv6 address is written in brackets. */
    public static Optional<ListenAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.contains(":")) {
            return Optional.empty();
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            return port < 0 || port > 65_535 || host.isBlank()
                    ? Optional.empty()
                    : Optional.of(new ListenAddress(host, port));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether only this machine can connect. A host name that cannot be resolved counts as reachable from elsewhere.
     */
    public boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Returns the form used in URLs. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
