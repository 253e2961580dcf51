package dev.gavel.app.config;

import dev.gavel.gateway.proposal.ProposalLimits.AskLimit;
import dev.gavel.gateway.proposal.ProposalLimits.ByteQuota;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the keys {@code ask} (how many approvals an identity may ask for) and {@code bytes} (how many bytes it may
 * store) of a configuration.
 */
record ProposalLimitsReader(ProblemCollector problemCollector) {
    private static final String OFF = "off";
    private static final int MAX_OPEN = 1_000_000;
    private static final int MAX_HOUR = 10_000;

    /**
     * Reads the key {@code ask}; empty if it is missing.
     *
     * @param defaults the values of missing keys
     */
    Optional<AskLimit> ask(YamlMappingReader parent, AskLimit defaults) {
        return readOrOff(parent, "ask", AskLimit.OFF, ask -> {
            AskLimit limit = new AskLimit(
                    ask.integer("open").orElse(defaults.open()),
                    ask.integer("hour").orElse(defaults.hour()));
            require(ask, "open", limit.open() >= 1 && (limit.open() <= MAX_OPEN || isOff(limit.open())), MAX_OPEN);
            require(ask, "hour", limit.hour() >= 1 && (limit.hour() <= MAX_HOUR || isOff(limit.hour())), MAX_HOUR);
            return limit;
        });
    }

    private static boolean isOff(int value) {
        return value == Integer.MAX_VALUE;
    }

    private void require(YamlMappingReader reader, String key, boolean valid, int max) {
        if (!valid) {
            problemCollector.add(reader.position(key), "'" + key + "' must be between 1 and " + max);
        }
    }

    /** Reads the key {@code bytes}; empty if it is missing. */
    Optional<ByteQuota> bytes(YamlMappingReader parent) {
        return readOrOff(
                parent,
                "bytes",
                ByteQuota.OFF,
                bytes -> new ByteQuota(
                        bytes.parse("open", SizeAndRateParser.EXPECTED_QUOTA, SizeAndRateParser::parseQuota)
                                .orElse(ByteQuota.DEFAULT.open()),
                        bytes.parse("day", SizeAndRateParser.EXPECTED_QUOTA, SizeAndRateParser::parseQuota)
                                .orElse(ByteQuota.DEFAULT.day())));
    }

    private static <T> Optional<T> readOrOff(
            YamlMappingReader parent, String key, T off, Function<YamlMappingReader, T> read) {
        if (parent.node(key)
                .filter(node ->
                        node instanceof YamlNode.Scalar scalar && scalar.text().equals(OFF))
                .isPresent()) {
            return Optional.of(off);
        }
        return parent.mapping(key).map(mapping -> {
            T value = read.apply(mapping);
            mapping.reportUnknownKeys();
            return value;
        });
    }
}
