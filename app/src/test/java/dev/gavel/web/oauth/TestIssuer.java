package dev.gavel.web.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** An authorization server on a loopback address that signs any token and can make any mistake. */
public final class TestIssuer implements AutoCloseable {
    static final String METADATA = "{\"issuer\":\"%1$s\",\"jwks_uri\":\"%1$s/keys\"}";

    private final HttpServer server;
    private final String path;

    /** The paths that were requested, in order. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    /** The keys that it publishes. */
    final List<JWK> published = new CopyOnWriteArrayList<>();

    /** The key that it signs with. */
    volatile ECKey key;

    volatile boolean down;

    /** Where it serves its metadata. */
    volatile String metadataPath;

    /** The content of its metadata; {@code %1$s} stands for its URL. */
    volatile String metadata = METADATA;

    /** Where it sends clients that ask for its metadata, instead of the metadata; empty for nowhere. */
    volatile String redirect = "";

    public TestIssuer() throws IOException {
        this("");
    }

    /** Creates an issuer whose URL has this path. */
    TestIssuer(String path) throws IOException {
        this.path = path;
        this.metadataPath = "/.well-known/oauth-authorization-server" + path;
        this.key = newKey("first");
        published.add(key.toPublicJWK());
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    static ECKey newKey(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Signs with this key from now on, and publishes it instead of the others. */
    void rotateTo(ECKey next) {
        key = next;
        published.clear();
        published.add(next.toPublicJWK());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String requested = exchange.getRequestURI().getPath();
        requests.add(requested);
        try (exchange) {
            if (down) {
                exchange.sendResponseHeaders(500, -1);
            } else if (requested.equals(metadataPath) && !redirect.isEmpty()) {
                exchange.getResponseHeaders().add("Location", redirect);
                exchange.sendResponseHeaders(302, -1);
            } else if (requested.equals(metadataPath)) {
                send(exchange, metadata.formatted(url()));
            } else if (requested.equals(path + "/keys")) {
                send(exchange, new JWKSet(new ArrayList<>(published)).toString());
            } else {
                exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private static void send(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    /** Signs a token of ten minutes. */
    public String token(String subject, String audience) {
        return token(subject, audience, Instant.now().plus(Duration.ofMinutes(10)));
    }

    /** Signs a token that expires at this time. */
    public String token(String subject, String audience, Instant expiry) {
        return token(claims -> claims.subject(subject).audience(audience).expirationTime(Date.from(expiry)));
    }

    /** Signs a token with these claims, and with this issuer unless they name another one. */
    String token(UnaryOperator<JWTClaimsSet.Builder> claims) {
        return sign(
                header(), claims.apply(new JWTClaimsSet.Builder().issuer(url())).build());
    }

    JWSHeader.Builder header() {
        return new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).type(new JOSEObjectType("at+jwt"));
    }

    String sign(JWSHeader.Builder header, JWTClaimsSet claims) {
        try {
            SignedJWT token = new SignedJWT(header.build(), claims);
            token.sign(new ECDSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
