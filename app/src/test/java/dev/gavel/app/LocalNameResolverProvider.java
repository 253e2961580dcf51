package dev.gavel.app;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/**
 * Resolves names below {@code localhost} to 127.0.0.1 in test processes, as browsers do, so that tests can request the
 * console's URLs with Java's HTTP client.
 */
public final class LocalNameResolverProvider extends InetAddressResolverProvider {
    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver system = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                return host.endsWith(".localhost")
                        ? Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}))
                        : system.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return system.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "local names";
    }
}
