package dev.gavel.lifecycle.parser;

import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlNode;
import dev.gavel.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Loads the default document format from the class path. It applies to the keys that a process file leaves out. */
final class DefaultDocumentFormat {
    private static final String NAME = "document-format.yaml";
    private static final YamlNode NODE = read();

    private DefaultDocumentFormat() {}

    static YamlNode node() {
        return NODE;
    }

    private static YamlNode read() {
        try (InputStream stream = DefaultDocumentFormat.class.getResourceAsStream(NAME)) {
            if (stream == null) {
                throw new IllegalStateException(NAME + " is missing in the program");
            }
            return YamlReader.read(
                            NAME, new String(stream.readAllBytes(), StandardCharsets.UTF_8), new ProblemCollector())
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(NAME + " cannot be read", e);
        }
    }
}
