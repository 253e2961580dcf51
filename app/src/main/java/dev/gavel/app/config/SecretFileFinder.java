package dev.gavel.app.config;

import dev.gavel.yaml.YamlNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the files in a configuration that contain secrets: those of {@code file:PATH}, and the TLS key. Stateless. */
final class SecretFileFinder {
    private static final String PREFIX = "file:";

    /** The keys whose values may contain file URIs that are not secrets. */
    private static final Set<String> OTHER_KEYS = Set.of("topics", "command", "readable", "writable");

    private SecretFileFinder() {}

    /** Returns the paths of all secret files that a configuration names. */
    static List<Path> find(YamlNode root) {
        return files(root, "").toList();
    }

    /**
     * Returns the files of a node and of all nodes in it.
     *
     * @param key the key of the node, with the keys of the mappings around it
     */
    private static Stream<Path> files(YamlNode node, String key) {
        return switch (node) {
            case YamlNode.Scalar scalar ->
                scalar.text().startsWith(PREFIX)
                        ? path(scalar.text().substring(PREFIX.length()))
                        : key.equals("/tls/key") ? path(scalar.text()) : Stream.empty();
            case YamlNode.Sequence sequence -> sequence.items().stream().flatMap(item -> files(item, key));
            case YamlNode.Mapping mapping ->
                mapping.entries().stream()
                        .filter(entry -> !OTHER_KEYS.contains(entry.key().text()))
                        .flatMap(entry ->
                                files(entry.value(), key + "/" + entry.key().text()));
        };
    }

    private static Stream<Path> path(String text) {
        try {
            return text.isBlank() ? Stream.empty() : Stream.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Stream.empty();
        }
    }
}
