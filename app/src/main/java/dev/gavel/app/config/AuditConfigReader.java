package dev.gavel.app.config;

import dev.gavel.gateway.call.CallRecorder.AuditMode;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads the audit settings of a configuration: the server's key {@code audit} (a mode or a mapping), and a topic's key
 * {@code audit} (a mode).
 */
final class AuditConfigReader {
    private static final String EXPECTED_MODE = "on or sync";
    private static final Duration MIN_RETENTION = Duration.ofHours(1);
    private static final long MIN_SIZE = 1024L * 1024;

    private AuditConfigReader() {}

    /** Reads the settings of the server. Missing and invalid settings get their defaults. */
    static AuditConfig read(YamlMappingReader top, ProblemCollector problemCollector) {
        Optional<YamlMappingReader> settings =
                top.node("audit").filter(YamlNode.Mapping.class::isInstance).flatMap(node -> top.mapping("audit"));
        if (settings.isEmpty()) {
            return new AuditConfig(
                    mode(top, "audit").orElse(AuditConfig.DEFAULT.mode()),
                    AuditConfig.DEFAULT.retention(),
                    AuditConfig.DEFAULT.size());
        }
        YamlMappingReader audit = settings.get();
        Optional<Duration> retention = audit.duration("retention");
        if (retention.isPresent() && retention.get().compareTo(MIN_RETENTION) < 0) {
            problemCollector.add(audit.position("retention"), "'retention' must be at least 1h");
        }
        Optional<Long> size =
                audit.parse("size", SizeAndRateParser.EXPECTED_LARGE_SIZE, SizeAndRateParser::parseLargeSize);
        if (size.isPresent() && size.get() < MIN_SIZE) {
            problemCollector.add(audit.position("size"), "'size' must be at least 1MiB");
        }
        AuditConfig auditConfig = new AuditConfig(
                mode(audit, "mode").orElse(AuditConfig.DEFAULT.mode()),
                retention.orElse(AuditConfig.DEFAULT.retention()),
                size.orElse(AuditConfig.DEFAULT.size()));
        audit.reportUnknownKeys();
        return auditConfig;
    }

    /** Reads a mode, if it is set. */
    static Optional<AuditMode> mode(YamlMappingReader fields, String key) {
        return fields.parse(key, EXPECTED_MODE, text -> switch (text) {
            case "on", "true" -> Optional.of(AuditMode.ON);
            case "sync" -> Optional.of(AuditMode.SYNC);
            default -> Optional.empty();
        });
    }
}
