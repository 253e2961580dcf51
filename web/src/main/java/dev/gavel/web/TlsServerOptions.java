package dev.gavel.web;

import dev.gavel.web.http.WebConfig;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.List;
import java.util.Set;

/**
 * Configures TLS for the HTTP server: TLS 1.3 and 1.2 only, suites with forward secrecy and authenticated encryption
 * only, and no renegotiation by clients. Stateless.
 */
final class TlsServerOptions {
    private static final List<String> SUITES = List.of(
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    static {
        // The JDK reads this property when it first accepts a TLS connection. Each renegotiation costs the server much
        // more than the client. TLS 1.3 does not have it.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private TlsServerOptions() {}

    /** Makes the server accept only TLS, with this certificate. */
    static void apply(HttpServerOptions options, WebConfig.Tls tls) {
        options.setSsl(true)
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.3", "TLSv1.2"))
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(tls.certificate().toString())
                        .setKeyPath(tls.key().toString()));
        SUITES.forEach(options::addEnabledCipherSuite);
    }
}
