package dev.gavel.app.config;

import dev.gavel.app.edge.WebConfig;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Problems;
import java.net.URI;
import java.util.Optional;

/** Reads how the gateway can be watched from outside. Stateless. */
public final class ObservingFields {
    /** What a collector's address looks like. */
    public static final String COLLECTOR =
            "the URL of an OTLP/HTTP collector, such as http://127.0.0.1:4318, without user or query";

    private ObservingFields() {}

    static Config.Observing read(Fields fields, Problems problems) {
        Optional<String> traces = fields.string("traces");
        Optional<URI> collector = traces.flatMap(ObservingFields::collector);
        if (traces.isPresent() && collector.isEmpty()) {
            // Not repeated: somebody may have put a password into it.
            problems.add(fields.position("traces"), "'traces' must be " + COLLECTOR);
        }
        return new Config.Observing(fields.parsed("metrics", "open, token or off", ObservingFields::access), collector);
    }

    private static Optional<WebConfig.MetricsAccess> access(String word) {
        return switch (word) {
            case "open" -> Optional.of(WebConfig.MetricsAccess.OPEN);
            case "token" -> Optional.of(WebConfig.MetricsAccess.TOKEN);
            case "off" -> Optional.of(WebConfig.MetricsAccess.OFF);
            default -> Optional.empty();
        };
    }

    /** A collector's address; none with a password in it, which would end up in logs. */
    public static Optional<URI> collector(String text) {
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
