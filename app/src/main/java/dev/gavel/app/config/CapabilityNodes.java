package dev.gavel.app.config;

import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Capability;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.PayloadPattern;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads capabilities as the configuration writes them. Stateless. */
final class CapabilityNodes {
    private CapabilityNodes() {}

    /** A list of patterns, each a text or an object of {@code kind} and {@code payload}. */
    static Capabilities read(Node node, Problems problems) {
        if (!(node instanceof Node.Sequence list)) {
            problems.add(node.position(), "expected a list of capabilities here, such as [\"chat.*\"]");
            return Capabilities.NONE;
        }
        if (list.items().size() > Capabilities.MOST) {
            problems.add(node.position(), "more than " + Capabilities.MOST + " capabilities: use wildcards");
            return Capabilities.NONE;
        }
        List<Capability> capabilities = new ArrayList<>();
        for (Node item : list.items()) {
            capability(item, problems).ifPresent(capabilities::add);
        }
        return Capabilities.of(capabilities);
    }

    private static Optional<Capability> capability(Node item, Problems problems) {
        if (item instanceof Node.Scalar scalar) {
            return compile(item.position(), scalar.text(), null, problems);
        }
        Fields fields = Fields.of(item, problems);
        Optional<String> kind = fields.requiredString("kind");
        PayloadPattern payload =
                fields.node("payload").map(CapabilityNodes::payload).orElse(null);
        fields.done();
        return kind.flatMap(pattern -> compile(item.position(), pattern, payload, problems));
    }

    private static Optional<Capability> compile(
            Position position, String pattern, @Nullable PayloadPattern payload, Problems problems) {
        return switch (Capability.compile(pattern, payload)) {
            case Parsed.Valid<Capability>(Capability capability) -> Optional.of(capability);
            case Parsed.Invalid<Capability>(String problem) -> {
                problems.add(position, problem);
                yield Optional.empty();
            }
        };
    }

    private static PayloadPattern payload(Node node) {
        return switch (node) {
            case Node.Scalar scalar -> new PayloadPattern.Text(scalar.text());
            case Node.Sequence list ->
                new PayloadPattern.AnyOf(
                        list.items().stream().map(CapabilityNodes::payload).toList());
            case Node.Mapping mapping -> {
                Map<String, PayloadPattern> fields = new LinkedHashMap<>();
                mapping.entries().forEach(entry -> fields.put(entry.key().text(), payload(entry.value())));
                yield new PayloadPattern.Fields(fields);
            }
        };
    }
}
