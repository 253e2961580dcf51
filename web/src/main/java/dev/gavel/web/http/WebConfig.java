package dev.gavel.web.http;

import dev.gavel.client.http.ListenAddress;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The settings that the web server, the API and the console need, taken from the server configuration.
 *
 * @param publicUrl the address that users see, if it differs from the address the server listens on
 * @param consoleHost the host at which the console is served
 * @param maxFrameBytes the size limit of an envelope
 * @param maxAnswerBytes the size limit of an envelope with an answer to a call
 * @param maxConnections the limit of open connections
 * @param connectionLimits the limits of connections that have not authenticated
 * @param pendingCallSettings how the calls in a topic, of an identity, are treated while they wait for a decision
 * @param dataDirectory the data directory
 * @param configuredIdentityIds the ids of the identities in the configuration file
 * @param topics the names of the topics in the configuration file
 * @param roles the roles that an identity can have, sorted
 * @param processDefinition the process of the specification proposals
 * @param version the version of this build
 */
public record WebConfig(
        ListenAddress listenAddress,
        Optional<URI> publicUrl,
        Optional<Tls> tls,
        ConsoleHost consoleHost,
        int maxFrameBytes,
        int maxAnswerBytes,
        int maxConnections,
        ConnectionLimits connectionLimits,
        MetricsAccess metricsAccess,
        BiFunction<String, String, PendingCallSettings> pendingCallSettings,
        Path dataDirectory,
        Set<String> configuredIdentityIds,
        List<String> topics,
        List<String> roles,
        ProcessDefinition processDefinition,
        String version) {
    public WebConfig {
        configuredIdentityIds = Collections.unmodifiableSet(new LinkedHashSet<>(configuredIdentityIds));
        topics = List.copyOf(topics);
        roles = List.copyOf(roles);
    }

    /** Whether browsers reach the server only by TLS: its own, or that of a proxy at the public URL. */
    public boolean isSecure() {
        return tls.isPresent()
                || publicUrl
                        .filter(url -> "https".equalsIgnoreCase(url.getScheme()))
                        .isPresent();
    }

    /** The URL at which programs reach the API and MCP if the server listens on this port; no trailing slash. */
    public String apiBaseUrl(int port) {
        return ApiBaseUrl.of(new ListenAddress(listenAddress.host(), port), publicUrl, tls.isPresent());
    }

    /** The certificate chain and the private key of a TLS server, as PEM files. */
    public record Tls(Path certificate, Path key) {}

    /** The clients that can read the metrics. */
    public enum MetricsAccess {
        /** All clients that can connect. */
        OPEN,
        /** Clients with a valid token. */
        TOKEN,
        /** No clients: there is no metrics page. */
        OFF
    }
}
