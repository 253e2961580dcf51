package dev.gavel.yaml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads YAML text into nodes with source positions, and reports syntax errors and disallowed features such as repeated
 * keys and anchors. Stateless.
 */
public final class YamlReader {
    /** The maximum length of a text, in characters. */
    public static final int MAX_LENGTH = 4 * 1024 * 1024;

    private static final int MAX_DEPTH = 50;

    private YamlReader() {}

    /**
     * Reads one document. Repeated keys, anchors and keys that are not plain words are problems, because a person may
     * understand them differently than a parser does.
     *
     * @param file the file name for problem messages; the reader opens no file
     * @return the document; empty if it is blank, or if it cannot be read, with the reason among the problems
     */
    public static Optional<YamlNode> read(String file, String text, ProblemCollector problemCollector) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file)
                .setUseMarks(true)
                .setCodePointLimit(MAX_LENGTH)
                .setAllowDuplicateKeys(true)
                .build();
        try {
            return new Compose(settings)
                    .composeString(text)
                    .map(node -> new NodeConverter(file, problemCollector).convert(node, 0))
                    .filter(node -> !(node instanceof YamlNode.Scalar scalar && scalar.isEmpty()));
        } catch (MarkedYamlEngineException e) {
            String problem = e.getProblem() == null ? "syntax error" : e.getProblem();
            problemCollector.add(position(file, e.getProblemMark().or(e::getContextMark)), "invalid YAML: " + problem);
            return Optional.empty();
        } catch (YamlEngineException | StackOverflowError e) {
            String reason = e.getMessage() == null ? "nested too deeply" : e.getMessage();
            problemCollector.add(new SourcePosition(file, 1, 1), "invalid YAML: " + reason.replaceAll("\\s+", " "));
            return Optional.empty();
        }
    }

    private static SourcePosition position(String file, Optional<Mark> mark) {
        return mark.map(m -> new SourcePosition(file, m.getLine() + 1, m.getColumn() + 1))
                .orElse(new SourcePosition(file, 1, 1));
    }

    private record NodeConverter(String file, ProblemCollector problemCollector) {
        YamlNode convert(org.snakeyaml.engine.v2.nodes.Node node, int depth) {
            SourcePosition position = position(file, node.getStartMark());
            if (node.getAnchor().isPresent()) {
                problemCollector.add(position, "anchors and aliases are not supported; write the value out");
                return new YamlNode.Scalar(position, "", false);
            }
            if (depth > MAX_DEPTH) {
                problemCollector.add(position, "nested deeper than " + MAX_DEPTH + " levels");
                return new YamlNode.Scalar(position, "", false);
            }
            return switch (node) {
                case ScalarNode scalar ->
                    new YamlNode.Scalar(position, scalar.getValue(), scalar.getScalarStyle() != ScalarStyle.PLAIN);
                case SequenceNode sequence ->
                    new YamlNode.Sequence(
                            position,
                            sequence.getValue().stream()
                                    .map(item -> convert(item, depth + 1))
                                    .toList());
                case MappingNode mapping -> mapping(position, mapping, depth);
                default -> throw new YamlEngineException("unknown node type: " + node.getNodeType());
            };
        }

        private YamlNode mapping(SourcePosition position, MappingNode mapping, int depth) {
            List<YamlNode.Entry> entries = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (NodeTuple tuple : mapping.getValue()) {
                YamlNode key = convert(tuple.getKeyNode(), depth + 1);
                YamlNode value = convert(tuple.getValueNode(), depth + 1);
                if (!(key instanceof YamlNode.Scalar name)) {
                    problemCollector.add(key.position(), "a key must be plain text, not " + key.description());
                } else if (!seen.add(name.text())) {
                    problemCollector.add(key.position(), "the key '" + name.text() + "' is repeated");
                } else {
                    entries.add(new YamlNode.Entry(name, value));
                }
            }
            return new YamlNode.Mapping(position, entries);
        }
    }
}
