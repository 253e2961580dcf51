package dev.gavel.faults.chaos;

import dev.gavel.bench.server.FaultyTcpProxy;
import dev.gavel.bench.server.GatewayCluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The addresses at which the participants of a chaos run reach the gateways: a recording proxy in front of each gateway,
 * and one address that leads to any gateway. Thread-safe.
 */
final class RecordingGatewayProxies implements AutoCloseable {
    private final List<RecordingGatewayProxy> proxies = new ArrayList<>();
    private final FaultyTcpProxy anyGateway;

    RecordingGatewayProxies(GatewayCluster gatewayCluster) throws IOException {
        for (var gateway : gatewayCluster.gateways()) {
            proxies.add(new RecordingGatewayProxy(gateway));
        }
        anyGateway = new FaultyTcpProxy(this::shuffledAddresses);
    }

    /** The addresses for clients that may use any gateway: those of running gateways, in random order. */
    private List<InetSocketAddress> shuffledAddresses() {
        List<RecordingGatewayProxy> any = new ArrayList<>(proxies);
        Collections.shuffle(any);
        return any.stream()
                .filter(proxy -> proxy.gateway().isUp())
                .map(RecordingGatewayProxy::address)
                .toList();
    }

    /** The number of gateways. */
    int size() {
        return proxies.size();
    }

    /** The address of one gateway. */
    InetSocketAddress address(int gateway) {
        return proxies.get(gateway).address();
    }

    /** The URLs of all gateways, for clients that know all of them. */
    List<String> urls() {
        return proxies.stream().map(proxy -> url(proxy.address().getPort())).toList();
    }

    /** A URL that leads to any gateway, for clients that know only one. */
    String anyUrl() {
        return url(anyGateway.port());
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** What each gateway sent on each connection. */
    List<GatewayConnectionTrace> traces() {
        return proxies.stream().flatMap(proxy -> proxy.traces().stream()).toList();
    }

    @Override
    public void close() throws IOException {
        anyGateway.close();
        for (RecordingGatewayProxy proxy : proxies) {
            proxy.close();
        }
    }
}
