package dev.gavel.mcp.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command, environment and working directory with which the bridge starts an MCP server process. Immutable.
 *
 * @param command the program and its arguments
 * @param env environment variables in addition to the few that every program needs; may hold secrets
 * @param directory the working directory; that of this process if empty
 * @param isolation how the process is separated from this process
 */
public record ServerLaunchConfig(
        List<String> command, Map<String, String> env, Optional<Path> directory, ServerIsolation isolation)
        implements ServerTarget {
    /** The variables of this process that a program needs in order to be found and to run. No others are inherited. */
    static final List<String> INHERITED_VARIABLES = List.of("PATH", "HOME", "USER", "LANG");

    public ServerLaunchConfig {
        command = List.copyOf(command);
        env = new LinkedHashMap<>(env);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the command is empty");
        }
        env.forEach((name, value) -> {
            if (!isValidVariable(name, value)) {
                // The message must not show the value, which may be secret.
                throw new IllegalArgumentException("an environment variable has an invalid name or value");
            }
        });
    }

    /** A process that is not separated from this process. */
    public ServerLaunchConfig(List<String> command, Map<String, String> env, Optional<Path> directory) {
        this(command, env, directory, ServerIsolation.NONE);
    }

    /** Returns a copy whose sandbox, if it has one, hides these paths too. */
    public ServerLaunchConfig hiding(List<Path> paths) {
        return new ServerLaunchConfig(command, env, directory, isolation.hiding(paths));
    }

    /** Whether the operating system accepts such an environment variable. */
    public static boolean isValidVariable(String name, String value) {
        return !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0 && value.indexOf('\0') < 0;
    }

    @Override
    public McpTransport newTransport(String name, int maxMessageBytes) {
        return new StdioTransport(name, this, maxMessageBytes);
    }

    /** Returns a process that is not started yet. Throws if it cannot be isolated as configured. */
    ProcessBuilder processBuilder() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED_VARIABLES);
        directory.ifPresent(path -> builder.directory(path.toFile()));
        isolation.apply(builder, env);
        return builder;
    }

    /** Does not show the values of environment variables. */
    @Override
    public String toString() {
        return "Launch[" + command + ", env=" + env.keySet() + ", directory=" + directory + "]";
    }
}
