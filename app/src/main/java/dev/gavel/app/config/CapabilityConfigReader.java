package dev.gavel.app.config;

import dev.gavel.mcpx.Capability;
import dev.gavel.mcpx.CapabilityPatternChecker;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.PayloadPattern;
import dev.gavel.mcpx.PayloadPatternChecker;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.SourcePosition;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a member's capabilities from the configuration file: a list of patterns for the envelopes the member may send.
 * Stateless.
 */
final class CapabilityConfigReader {
    private CapabilityConfigReader() {}

    /** Reads a list of patterns, each a string or a mapping with {@code kind} and {@code payload}. */
    static CapabilitySet read(YamlNode node, ProblemCollector problemCollector, ProblemCollector warnings) {
        if (!(node instanceof YamlNode.Sequence list)) {
            problemCollector.add(node.position(), "expected a list of capabilities, such as [\"chat.*\"]");
            return CapabilitySet.NONE;
        }
        if (list.items().size() > CapabilitySet.MAX_SIZE) {
            problemCollector.add(
                    node.position(), "more than " + CapabilitySet.MAX_SIZE + " capabilities: use wildcards");
            return CapabilitySet.NONE;
        }
        List<Capability> capabilities = new ArrayList<>();
        for (YamlNode item : list.items()) {
            capability(item, problemCollector, warnings).ifPresent(capabilities::add);
        }
        return CapabilitySet.of(capabilities);
    }

    private static Optional<Capability> capability(
            YamlNode item, ProblemCollector problemCollector, ProblemCollector warnings) {
        if (item instanceof YamlNode.Scalar scalar) {
            return compile(item.position(), scalar.text(), null, problemCollector, warnings);
        }
        YamlMappingReader yamlMappingReader = YamlMappingReader.of(item, problemCollector);
        Optional<String> kind = yamlMappingReader.requiredString("kind");
        PayloadPattern payload = yamlMappingReader
                .node("payload")
                .map(CapabilityConfigReader::payload)
                .orElse(null);
        yamlMappingReader.reportUnknownKeys();
        return kind.flatMap(pattern -> compile(item.position(), pattern, payload, problemCollector, warnings));
    }

    private static Optional<Capability> compile(
            SourcePosition position,
            String pattern,
            @Nullable PayloadPattern payload,
            ProblemCollector problemCollector,
            ProblemCollector warnings) {
        CapabilityPatternChecker.findProblem(pattern).ifPresent(problem -> warnings.add(position, problem));
        if (payload != null) {
            PayloadPatternChecker.findError(payload).ifPresent(problem -> problemCollector.add(position, problem));
            PayloadPatternChecker.findWarning(pattern, payload).ifPresent(problem -> warnings.add(position, problem));
        }
        return switch (Capability.compile(pattern, payload)) {
            case ValueParseResult.Valid<Capability>(Capability capability) -> Optional.of(capability);
            case ValueParseResult.Invalid<Capability>(String problem) -> {
                problemCollector.add(position, problem);
                yield Optional.empty();
            }
        };
    }

    private static PayloadPattern payload(YamlNode node) {
        return switch (node) {
            case YamlNode.Scalar scalar -> new PayloadPattern.Text(scalar.text());
            case YamlNode.Sequence list ->
                new PayloadPattern.AnyOf(list.items().stream()
                        .map(CapabilityConfigReader::payload)
                        .toList());
            case YamlNode.Mapping mapping -> {
                Map<String, PayloadPattern> fields = new LinkedHashMap<>();
                mapping.entries().forEach(entry -> fields.put(entry.key().text(), payload(entry.value())));
                yield new PayloadPattern.Fields(fields);
            }
        };
    }
}
