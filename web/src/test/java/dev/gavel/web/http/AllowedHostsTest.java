package dev.gavel.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {
    private final AllowedHosts hosts =
            new AllowedHosts("Box.example", Optional.of(URI.create("https://gavel.example.org/")));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:4285",
                "127.0.0.1:4285",
                "127.0.0.1:9999",
                "192.168.7.7",
                "[::1]:4285",
                "[fe80::1]",
                "box.example:4285",
                "gavel.example.org",
                "Gavel.Example.ORG:443",
            })
    void ownNamesAndAddressesAreAllowed(String host) {
        assertThat(hosts.isOwnHost(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "evil.example:4285",
                "localhost.evil.example",
                "notlocalhost",
                "gavel.localhost:4285",
                "127.0.0.1.evil.example",
                "127.0.0.1:4285.evil.example",
                "127.0.0.1@evil.example",
                "localhost:",
                "localhost:x",
                "[::1",
                "[::1]evil.example",
                "[evil]",
                "1.2.3",
                "0x7f000001",
            })
    void otherNamesAreRefused(String host) {
        assertThat(hosts.isOwnHost(host)).isFalse();
    }

    @Test
    void aMissingHostIsRefused() {
        assertThat(hosts.isOwnHost(null)).isFalse();
    }
}
