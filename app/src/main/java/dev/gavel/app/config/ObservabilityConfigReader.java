package dev.gavel.app.config;

import dev.gavel.web.http.WebConfig;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import java.net.URI;
import java.util.Optional;

/** Reads the configuration of metrics access and of trace export. Stateless. */
public final class ObservabilityConfigReader {
    /** The expected form of a collector's address, for messages. */
    public static final String EXPECTED_COLLECTOR =
            "the URL of an OTLP/HTTP collector, such as http://127.0.0.1:4318, without a user or query";

    private ObservabilityConfigReader() {}

    static ServerConfig.Observability read(YamlMappingReader yamlMappingReader, ProblemCollector problemCollector) {
        Optional<String> traces = yamlMappingReader.string("traces");
        Optional<URI> collector = traces.flatMap(ObservabilityConfigReader::parseCollector);
        if (traces.isPresent() && collector.isEmpty()) {
            // The message does not repeat the URL: it may contain a password.
            problemCollector.add(yamlMappingReader.position("traces"), "'traces' must be " + EXPECTED_COLLECTOR);
        }
        return new ServerConfig.Observability(
                yamlMappingReader.parse("metrics", "open, token or off", ObservabilityConfigReader::access), collector);
    }

    private static Optional<WebConfig.MetricsAccess> access(String value) {
        return switch (value) {
            case "open" -> Optional.of(WebConfig.MetricsAccess.OPEN);
            case "token" -> Optional.of(WebConfig.MetricsAccess.TOKEN);
            case "off" -> Optional.of(WebConfig.MetricsAccess.OFF);
            default -> Optional.empty();
        };
    }

    /** Parses a collector's address. One with a password is invalid, because the password would appear in logs. */
    public static Optional<URI> parseCollector(String text) {
        try {
            URI uri = URI.create(text);
            boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            boolean plain = uri.getUserInfo() == null && uri.getQuery() == null && uri.getFragment() == null;
            return web && plain && uri.getHost() != null ? Optional.of(uri) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
