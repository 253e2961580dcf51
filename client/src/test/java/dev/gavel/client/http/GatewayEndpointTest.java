package dev.gavel.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayEndpointTest {
    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:4285, true",
        "http://localhost:1/, true",
        "http://[::1]:4285, true",
        "https://gavel.example.org, false",
        "http://127.0.0.1.example.org, false",
        "http://10.0.0.1:4285, false",
    })
    void onlyThisMachineIsLocal(String url, boolean local) {
        assertThat(GatewayEndpoint.url(url).map(GatewayEndpoint::isLocal)).contains(local);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "127.0.0.1:4285", "ftp://x", "http://", "http://me:secret@x", "http://x/?a=b", "http://a b"})
    void whatIsNoAddressOfAServerIsRefused(String url) {
        assertThat(GatewayEndpoint.url(url)).isEmpty();
    }

    @Test
    void aTokenIsNeverPartOfATextAboutIt() {
        assertThat(new GatewayEndpoint(URI.create("http://x"), Optional.of("gvl_secret")).toString())
                .isEqualTo("http://x");
    }
}
