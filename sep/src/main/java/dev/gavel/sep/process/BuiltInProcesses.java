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

/** Finds the SEP process definitions that ship with Gavel, by name. Stateless. */
public final class BuiltInProcesses {
    /** Name of the process that applies if the configuration names none. */
    public static final String DEFAULT_NAME = "sep-1286";

    // The directories of a jar cannot be listed portably. A test compares this list with the files.
    private static final List<String> NAMES = List.of("eip", "gep", "kep", "mcp-2026", "pep", "rust-rfc", DEFAULT_NAME);

    private BuiltInProcesses() {}

    /** Reads the default process once, on first use, because reading it takes time and it never changes. */
    private static final class DefaultProcessHolder {
        private static final ProcessDefinition PROCESS = read(DEFAULT_NAME).orElseThrow();
    }

    /** Returns the names in alphabetical order. */
    public static List<String> names() {
        return NAMES.stream().filter(name -> resource(name).isPresent()).toList();
    }

    /** Returns the process with a name; empty if there is none. */
    public static Optional<ProcessDefinition> find(String name) {
        return name.equals(DEFAULT_NAME) ? Optional.of(defaultProcess()) : read(name);
    }

    private static Optional<ProcessDefinition> read(String name) {
        return yaml(name).map(text -> switch (ProcessFileParser.parse(name + ".yaml", text)) {
            case ProcessParseResult.Valid valid -> valid.processDefinition();
            // Tests read every built-in process, so users never get this exception.
            case ProcessParseResult.Invalid invalid ->
                throw new IllegalStateException("the built-in process " + name + " is invalid: " + invalid.problems());
        });
    }

    /** Returns the process that applies if the configuration names none. */
    public static ProcessDefinition defaultProcess() {
        return DefaultProcessHolder.PROCESS;
    }

    /** Returns the YAML source of a process; empty if there is no process with that name. */
    public static Optional<String> yaml(String name) {
        return NAMES.contains(name) ? resource(name) : Optional.empty();
    }

    private static Optional<String> resource(String name) {
        try (InputStream stream =
                BuiltInProcesses.class.getResourceAsStream("/dev/gavel/sep/processes/" + name + ".yaml")) {
            return stream == null
                    ? Optional.empty()
                    : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the built-in process " + name + " cannot be read", e);
        }
    }
}
