package dev.gavel.sep.process;

import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ProcessDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The processes that ship with the program, by name. Stateless. */
public final class BuiltInProcesses {
    /** The one that counts where nobody says another. */
    public static final String DEFAULT_NAME = "sep-1286";

    // A jar's directories cannot be listed portably; a test holds this against the files there are.
    private static final List<String> KNOWN = List.of("mcp-2026", DEFAULT_NAME);

    private BuiltInProcesses() {}

    /** It takes a while to read and never changes, so it is read once, by whoever comes first. */
    private static final class DefaultProcessHolder {
        private static final ProcessDefinition PROCESS = read(DEFAULT_NAME).orElseThrow();
    }

    /** What they are called, in the alphabet's order. */
    public static List<String> names() {
        return KNOWN.stream().filter(name -> resource(name).isPresent()).toList();
    }

    /** One of them; empty where none has that name. */
    public static Optional<ProcessDefinition> find(String name) {
        return name.equals(DEFAULT_NAME) ? Optional.of(defaultProcess()) : read(name);
    }

    private static Optional<ProcessDefinition> read(String name) {
        return yaml(name).map(text -> switch (ProcessFileParser.parse(name + ".yaml", text)) {
            case ProcessParseResult.Valid valid -> valid.processDefinition();
            // Tests read every one of them, so nobody who runs the program sees this.
            case ProcessParseResult.Invalid invalid ->
                throw new IllegalStateException("the process " + name + " is unsound: " + invalid.problems());
        });
    }

    /** The one that counts where nobody says another. */
    public static ProcessDefinition defaultProcess() {
        return DefaultProcessHolder.PROCESS;
    }

    /** The file as it was written; empty where none has that name. */
    public static Optional<String> yaml(String name) {
        return KNOWN.contains(name) ? resource(name) : Optional.empty();
    }

    private static Optional<String> resource(String name) {
        try (InputStream stream =
                BuiltInProcesses.class.getResourceAsStream("/dev/gavel/sep/processes/" + name + ".yaml")) {
            return stream == null
                    ? Optional.empty()
                    : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own process " + name + " cannot be read", e);
        }
    }
}
