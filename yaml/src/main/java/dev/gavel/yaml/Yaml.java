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

/** Reads YAML text into {@link Node}s that know where they stand. Stateless. */
public final class Yaml {
    /** The longest text read, in characters. */
    public static final int LONGEST = 4 * 1024 * 1024;

    private static final int DEEPEST = 50;

    private Yaml() {}

    /**
     * Reads one document. Repeated keys, anchors and keys that are not plain words are problems, since a person reading
     * the file could take them for something else than a parser does.
     *
     * @param file the name to use in problems; nothing is opened
     * @return the document; empty where it could not be read, with the reason among the problems, or is blank
     */
    public static Optional<Node> read(String file, String text, Problems problems) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file)
                .setUseMarks(true)
                .setCodePointLimit(LONGEST)
                .setAllowDuplicateKeys(true)
                .build();
        try {
            return new Compose(settings)
                    .composeString(text)
                    .map(node -> new Reader(file, problems).convert(node, 0))
                    .filter(node -> !(node instanceof Node.Scalar scalar && scalar.empty()));
        } catch (MarkedYamlEngineException e) {
            String problem = e.getProblem() == null ? "not YAML" : e.getProblem();
            problems.add(position(file, e.getProblemMark().or(e::getContextMark)), "not YAML: " + problem);
            return Optional.empty();
        } catch (YamlEngineException | StackOverflowError e) {
            String why = e.getMessage() == null ? "nested too deep" : e.getMessage();
            problems.add(new Position(file, 1, 1), "not YAML: " + why.replaceAll("\\s+", " "));
            return Optional.empty();
        }
    }

    private static Position position(String file, Optional<Mark> mark) {
        return mark.map(m -> new Position(file, m.getLine() + 1, m.getColumn() + 1))
                .orElse(new Position(file, 1, 1));
    }

    private record Reader(String file, Problems problems) {
        Node convert(org.snakeyaml.engine.v2.nodes.Node node, int depth) {
            Position position = position(file, node.getStartMark());
            if (node.getAnchor().isPresent()) {
                problems.add(position, "anchors and aliases are not supported; write the value out");
                return new Node.Scalar(position, "", false);
            }
            if (depth > DEEPEST) {
                problems.add(position, "nested deeper than " + DEEPEST + " levels");
                return new Node.Scalar(position, "", false);
            }
            return switch (node) {
                case ScalarNode scalar ->
                    new Node.Scalar(position, scalar.getValue(), scalar.getScalarStyle() != ScalarStyle.PLAIN);
                case SequenceNode sequence ->
                    new Node.Sequence(
                            position,
                            sequence.getValue().stream()
                                    .map(item -> convert(item, depth + 1))
                                    .toList());
                case MappingNode mapping -> mapping(position, mapping, depth);
                default -> throw new YamlEngineException("a node of an unknown sort: " + node.getNodeType());
            };
        }

        private Node mapping(Position position, MappingNode mapping, int depth) {
            List<Node.Entry> entries = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (NodeTuple tuple : mapping.getValue()) {
                Node key = convert(tuple.getKeyNode(), depth + 1);
                Node value = convert(tuple.getValueNode(), depth + 1);
                if (!(key instanceof Node.Scalar name)) {
                    problems.add(key.position(), "a key must be a word, not " + key.description());
                } else if (!seen.add(name.text())) {
                    problems.add(key.position(), "the key '" + name.text() + "' stands here twice");
                } else {
                    entries.add(new Node.Entry(name, value));
                }
            }
            return new Node.Mapping(position, entries);
        }
    }
}
