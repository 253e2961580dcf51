package dev.gavel.app.config;

import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.gateway.proposal.ProposalSettings.RejectionPolicy;
import dev.gavel.gateway.proposal.ProposalVisibility;
import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads a topic's proposal settings: times to live, answer timeout, rejection policy, self-approval and whether
 * proposers learn who decides. Stateless.
 */
final class ProposalSettingsReader {
    private static final ProposalSettings DEFAULTS = DefaultServerConfig.RULES;

    private ProposalSettingsReader() {}

    /** Reads the settings from the fields of a topic. Missing and invalid settings get their defaults. */
    static ProposalSettings read(YamlMappingReader topic, ProblemCollector problemCollector) {
        Ttl ttl = topic.mapping("ttl")
                .map(yamlMappingReader -> ttl(yamlMappingReader, problemCollector))
                .orElse(Ttl.DEFAULT);
        return new ProposalSettings(
                ttl.standard(),
                ttl.max(),
                span(topic, "answer", problemCollector).orElse(DEFAULTS.answerTimeout()),
                topic.parse("rejection", "veto or all", ProposalSettingsReader::rejection)
                        .orElse(DEFAULTS.rejectionPolicy()),
                topic.bool("selfApproval").orElse(DEFAULTS.selfApproval()),
                topic.parse("visibility", "members or involved", ProposalSettingsReader::visibility)
                        .orElse(DEFAULTS.visibility()),
                topic.bool("showApprovers").orElse(DEFAULTS.showApprovers()),
                secrets(topic, problemCollector));
    }

    private static SecretArgumentPatterns secrets(YamlMappingReader topic, ProblemCollector problemCollector) {
        List<String> patterns = topic.strings("secret");
        patterns.forEach(pattern -> SecretArgumentPatterns.problem(pattern)
                .ifPresent(problem -> problemCollector.add(topic.position("secret"), "'secret': " + problem)));
        return SecretArgumentPatterns.of(patterns);
    }

    private static Ttl ttl(YamlMappingReader yamlMappingReader, ProblemCollector problemCollector) {
        Optional<Duration> defaultTtl = span(yamlMappingReader, "default", problemCollector);
        Optional<Duration> maxTtl = span(yamlMappingReader, "max", problemCollector);
        yamlMappingReader.reportUnknownKeys();
        Ttl ttl = new Ttl(defaultTtl.orElse(Ttl.DEFAULT.standard()), maxTtl.orElse(Ttl.DEFAULT.max()));
        if (ttl.standard().compareTo(ttl.max()) > 0) {
            if (defaultTtl.isPresent()) {
                problemCollector.add(
                        yamlMappingReader.position("default"),
                        "'default' must not be longer than 'max'"
                                + (maxTtl.isPresent() ? "" : ", which is 24h by default"));
            } else {
                problemCollector.add(
                        yamlMappingReader.position("max"),
                        "'max' must not be shorter than 'default', which is 15m by default");
            }
        }
        return ttl;
    }

    private static Optional<Duration> span(
            YamlMappingReader yamlMappingReader, String key, ProblemCollector problemCollector) {
        return yamlMappingReader.duration(key).filter(span -> {
            if (span.isZero()) {
                problemCollector.add(yamlMappingReader.position(key), "'" + key + "' must be above 0");
            }
            return !span.isZero();
        });
    }

    private static Optional<RejectionPolicy> rejection(String text) {
        return switch (text) {
            case "veto" -> Optional.of(RejectionPolicy.VETO);
            case "all" -> Optional.of(RejectionPolicy.ALL);
            default -> Optional.empty();
        };
    }

    private static Optional<ProposalVisibility> visibility(String text) {
        return switch (text) {
            case "members" -> Optional.of(ProposalVisibility.MEMBERS);
            case "involved" -> Optional.of(ProposalVisibility.INVOLVED);
            default -> Optional.empty();
        };
    }

    private record Ttl(Duration standard, Duration max) {
        static final Ttl DEFAULT =
                new Ttl(ProposalSettingsReader.DEFAULTS.ttl(), ProposalSettingsReader.DEFAULTS.maxTtl());
    }
}
