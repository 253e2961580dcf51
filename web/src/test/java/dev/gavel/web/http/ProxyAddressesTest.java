package dev.gavel.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProxyAddressesTest {
    private final ProxyAddresses proxies =
            new ProxyAddresses(List.of("10.0.0.0/8", "192.0.2.7", "2001:db8::/32"), false);

    private static InetAddress address(String text) throws UnknownHostException {
        return InetAddress.getByName(text);
    }

    @Test
    void aProxyReportsTheClientsAddress() throws Exception {
        for (String proxy : List.of("10.1.2.3", "192.0.2.7", "2001:db8::1")) {
            assertThat(proxies.clientAddress(address(proxy), "198.51.100.9, 203.0.113.5"))
                    .isEqualTo(address("203.0.113.5"));
        }
        assertThat(proxies.clientAddress(address("10.1.2.3"), null)).isEqualTo(address("10.1.2.3"));
        assertThat(proxies.clientAddress(address("10.1.2.3"), "nonsense")).isEqualTo(address("10.1.2.3"));
    }

    @Test
    void aClientCannotReportAnotherAddress() throws Exception {
        for (String client : List.of("203.0.113.5", "127.0.0.1", "192.0.2.8")) {
            assertThat(proxies.clientAddress(address(client), "198.51.100.9")).isEqualTo(address(client));
        }
    }

    @Test
    void behindALocalProxyLoopbackAddressesAreProxies() throws Exception {
        ProxyAddresses local = new ProxyAddresses(List.of(), true);
        assertThat(local.clientAddress(address("127.0.0.1"), "203.0.113.5")).isEqualTo(address("203.0.113.5"));
        assertThat(local.isProxy(address("203.0.113.5"))).isFalse();
    }
}
