package dev.gavel.web.http;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes the proxies in front of the server, and returns the address of the client behind a proxy. The header
 * {@code X-Forwarded-For} counts only if a proxy sent it, because clients can send any value. Immutable.
 */
public final class ProxyAddresses {
    private final List<IpSubnetFilterRule> networks;
    private final boolean loopback;

    /**
     * Creates the proxies of a server.
     *
     * @param networks addresses and networks that {@link #isValid} accepts
     * @param loopback whether loopback addresses are proxies, too
     */
    public ProxyAddresses(List<String> networks, boolean loopback) {
        this.networks = networks.stream().map(ProxyAddresses::rule).toList();
        this.loopback = loopback;
    }

    /** The proxies of a configuration. With a public URL on a loopback address, the proxy is on the same machine. */
    public static ProxyAddresses of(WebConfig config) {
        return new ProxyAddresses(
                config.connectionLimits().proxies(),
                config.publicUrl().isPresent() && config.listenAddress().isLoopback());
    }

    /** Whether the text is an IP address or a network such as {@code 10.0.0.0/8}. */
    public static boolean isValid(String network) {
        String address = network.replaceFirst("/\\d{1,3}$", "");
        if (!HostHeader.isIpAddress(address)) {
            return false;
        }
        try {
            return rule(network) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static IpSubnetFilterRule rule(String network) {
        int bits = NetUtil.isValidIpV4Address(network.replaceFirst("/.*", "")) ? 32 : 128;
        return new IpSubnetFilterRule(network.contains("/") ? network : network + "/" + bits, IpFilterRuleType.ACCEPT);
    }

    /** Whether a connection from this address comes from a proxy. */
    public boolean isProxy(InetAddress address) {
        if (loopback && address.isLoopbackAddress()) {
            return true;
        }
        InetSocketAddress peer = new InetSocketAddress(address, 0);
        return networks.stream().anyMatch(rule -> rule.matches(peer));
    }

    /** Returns the address of the client: of the connection or, behind a proxy, the last one that the proxy reports. */
    InetAddress clientAddress(InetAddress peer, @Nullable String forwardedFor) {
        if (forwardedFor == null || !isProxy(peer)) {
            return peer;
        }
        String last = forwardedFor.substring(forwardedFor.lastIndexOf(',') + 1).strip();
        return parse(last).orElse(peer);
    }

    /** Returns the address of the client that sent a request. */
    public InetAddress clientAddress(HttpServerRequest request) {
        List<String> forwarded = request.headers().getAll("X-Forwarded-For");
        return clientAddress(
                parse(request.remoteAddress().hostAddress()).orElseGet(InetAddress::getLoopbackAddress),
                forwarded.isEmpty() ? null : forwarded.getLast());
    }

    private static Optional<InetAddress> parse(@Nullable String text) {
        byte[] bytes = text == null ? null : NetUtil.createByteArrayFromIpAddressString(text);
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new AssertionError("an address has 4 or 16 bytes", e);
        }
    }
}
