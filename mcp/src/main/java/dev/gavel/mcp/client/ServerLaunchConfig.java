package dev.gavel.mcp.client;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command, environment and working directory with which the bridge starts an MCP server process. Immutable.
 *
 * @param command the program and its arguments
 * @param env what its environment holds besides the few variables every program needs; may hold secrets
 * @param directory where it runs; where this process does if it is not said
 */
public record ServerLaunchConfig(List<String> command, Map<String, String> env, Optional<Path> directory)
        implements ServerTarget {
    /** What a program needs to be found and to feel at home; nothing that is ours. */
    static final List<String> INHERITED_VARIABLES = List.of("PATH", "HOME", "USER", "LANG");

    public ServerLaunchConfig {
        command = List.copyOf(command);
        env = new LinkedHashMap<>(env);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("a command has at least a program");
        }
        env.forEach((name, value) -> {
            if (!isValidVariable(name, value)) {
                // Its value is nobody's to see.
                throw new IllegalArgumentException("a variable of the environment cannot be set");
            }
        });
    }

    /** Whether a program can be given such a variable. */
    public static boolean isValidVariable(String name, String value) {
        return !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0 && value.indexOf('\0') < 0;
    }

    @Override
    public McpTransport newTransport(String name) {
        return new StdioTransport(name, this);
    }

    /** A process of it, not yet started. */
    ProcessBuilder processBuilder() {
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED_VARIABLES);
        environment.putAll(env);
        directory.ifPresent(path -> builder.directory(path.toFile()));
        return builder;
    }

    /** Without what the environment holds. */
    @Override
    public String toString() {
        return "Launch[" + command + ", env=" + env.keySet() + ", directory=" + directory + "]";
    }
}
