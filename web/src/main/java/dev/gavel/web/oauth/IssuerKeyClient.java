package dev.gavel.web.oauth;

import com.nimbusds.jose.jwk.JWKSet;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Fetches the keys of an issuer from the address in its metadata. Size and time of the answers are limited, and
 * redirects are not followed: the operator trusts the configured issuer, and not the place that a redirect names. Calls
 * block. Thread-safe.
 */
final class IssuerKeyClient implements AutoCloseable {
    static final int MAX_DOCUMENT_BYTES = 256 * 1024;

    private final HttpClient http;
    private final Duration timeout;

    /**
     * Creates a client.
     *
     * @param timeout how long fetching the metadata and the keys can take in total
     */
    IssuerKeyClient(Duration timeout) {
        this.timeout = timeout;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
    }

    /** Fetches the current keys of an issuer. */
    JWKSet fetchKeys(TrustedIssuer issuer) throws IssuerUnavailableException {
        long deadline = System.nanoTime() + timeout.toNanos();
        URI keys = findKeys(issuer, deadline);
        try {
            return JWKSet.parse(new String(requireDocument(keys, deadline), StandardCharsets.UTF_8));
        } catch (ParseException e) {
            throw new IssuerUnavailableException("the key set at " + keys + " cannot be read");
        }
    }

    /** Returns the address of the keys, from the first metadata document that belongs to the issuer. */
    private URI findKeys(TrustedIssuer issuer, long deadline) throws IssuerUnavailableException {
        List<String> problems = new ArrayList<>();
        for (URI url : issuer.metadataUrls()) {
            HttpResponse<byte[]> response = get(url, deadline);
            if (response.statusCode() != 200) {
                problems.add(url + " returned status " + response.statusCode());
                continue;
            }
            Json metadata = Json.parse(new String(response.body(), StandardCharsets.UTF_8))
                    .orElseGet(Json::object);
            if (!metadata.at("issuer").text().equals(issuer.url())) {
                problems.add("the metadata at " + url + " does not have exactly this URL as 'issuer'");
                continue;
            }
            return keyAddress(metadata, url);
        }
        throw new IssuerUnavailableException(String.join("; ", problems));
    }

    /**
     * Returns the address of the keys in a metadata document.
     *
     * @param source where the document is from
     */
    static URI keyAddress(Json metadata, URI source) throws IssuerUnavailableException {
        try {
            URI keys = URI.create(metadata.at("jwks_uri").text());
            // An issuer elsewhere must not make this server send requests to programs on this machine.
            boolean suitable = "https".equals(keys.getScheme())
                    || ("http".equals(source.getScheme()) && TrustedIssuer.isProtected(keys));
            if (keys.getHost() != null && suitable) {
                return keys;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw new IssuerUnavailableException("the metadata at " + source + " has no https URL as 'jwks_uri'");
    }

    private byte[] requireDocument(URI url, long deadline) throws IssuerUnavailableException {
        HttpResponse<byte[]> response = get(url, deadline);
        if (response.statusCode() != 200) {
            throw new IssuerUnavailableException(url + " returned status " + response.statusCode());
        }
        return response.body();
    }

    private HttpResponse<byte[]> get(URI url, long deadline) throws IssuerUnavailableException {
        HttpRequest request =
                HttpRequest.newBuilder(url).header("Accept", "application/json").build();
        CompletableFuture<HttpResponse<byte[]>> response = http.sendAsync(
                request,
                HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), MAX_DOCUMENT_BYTES));
        try {
            return response.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            response.cancel(true);
            throw new IssuerUnavailableException(url + " did not answer within " + timeout.toSeconds() + " seconds");
        } catch (ExecutionException e) {
            throw new IssuerUnavailableException(
                    url + " cannot be read (" + describe(Objects.requireNonNullElse(e.getCause(), e)) + ")");
        } catch (InterruptedException e) {
            response.cancel(true);
            Thread.currentThread().interrupt();
            throw new IssuerUnavailableException("the server is shutting down");
        }
    }

    /** Returns the kind of failure; the messages of the JDK are often empty. */
    private static String describe(Throwable failure) {
        String message = failure.getMessage();
        return failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
