package dev.gavel.mcp.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Starts an MCP server process under another user or in a bubblewrap sandbox, so that the process cannot read the
 * gateway's files. If the isolation is not possible, the process does not start. Immutable.
 *
 * @param user the account that runs the process; that of this process if empty
 * @param sandbox whether the process runs in a sandbox
 * @param readable paths that the sandbox shows read-only, in addition to the system and the working directory
 * @param writable paths that the sandbox shows writable
 * @param hidden files and directories that the sandbox hides, even below a path that it shows
 */
public record ServerIsolation(
        Optional<String> user, boolean sandbox, List<Path> readable, List<Path> writable, List<Path> hidden) {
    /** The process runs like this process and reads what this process can read. */
    public static final ServerIsolation NONE =
            new ServerIsolation(Optional.empty(), false, List.of(), List.of(), List.of());

    /** The program that creates sandboxes. */
    public static final String BUBBLEWRAP = "bwrap";

    /** The usual directory of a server's configuration and secrets. */
    public static final Path SYSTEM_CONFIG = Path.of("/etc/gavel");

    private static final String SETPRIV = "setpriv";
    private static final Pattern USER_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");

    /** The directories of the system. Not in this list: home directories, /run with its sockets, /var, /srv. */
    private static final List<String> SYSTEM_PATHS =
            List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix");

    public ServerIsolation {
        readable = List.copyOf(readable);
        writable = List.copyOf(writable);
        hidden = List.copyOf(hidden);
    }

    /** Whether the text can be the name of a user account. */
    public static boolean isUserName(String text) {
        return USER_NAME.matcher(text).matches();
    }

    /** Returns a copy that hides these paths too. */
    public ServerIsolation hiding(List<Path> more) {
        return new ServerIsolation(
                user,
                sandbox,
                readable,
                writable,
                Stream.concat(hidden.stream(), more.stream()).toList());
    }

    /** Changes the command and the environment of a process that is not started yet. */
    void apply(ProcessBuilder builder, Map<String, String> configuredVariables) throws IOException {
        List<String> launcher = new ArrayList<>();
        if (user.isPresent()) {
            UnixAccount account = requireSwitchable(user.get());
            launcher.addAll(List.of(
                    SETPRIV,
                    "--reuid=" + account.userId(),
                    "--regid=" + account.groupId(),
                    "--init-groups",
                    "--inh-caps=-all",
                    "--bounding-set=-all",
                    "--no-new-privs",
                    "--"));
            builder.environment().put("HOME", account.home());
            builder.environment().put("USER", account.name());
        }
        if (sandbox) {
            requireProgram(BUBBLEWRAP, "Install the package bubblewrap, or start the bridge without a sandbox.");
            launcher.addAll(sandboxCommand(Optional.ofNullable(builder.directory())
                    .map(file -> file.toPath())
                    .orElse(Path.of(""))));
            builder.environment().put("HOME", "/tmp");
        }
        builder.environment().putAll(configuredVariables);
        builder.command().addAll(0, launcher);
    }

    private static UnixAccount requireSwitchable(String user) throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            throw new IOException("only root can start a program as the user '" + user
                    + "'. Run Gavel as root, or run 'gavel bridge' as this user instead.");
        }
        requireProgram(SETPRIV, "Install the package util-linux.");
        return UnixAccount.lookup(user);
    }

    private static void requireProgram(String program, String advice) throws IOException {
        if (!isInstalled(program, System.getenv().getOrDefault("PATH", ""))) {
            throw new IOException("the program '" + program + "' is not installed. " + advice);
        }
    }

    /** Whether a directory of the search path contains the program. */
    public static boolean isInstalled(String program, String searchPath) {
        return Stream.of(searchPath.split(":", -1))
                .map(directory -> Path.of(directory, program))
                .anyMatch(file -> Files.isExecutable(file) && !Files.isDirectory(file));
    }

    private List<String> sandboxCommand(Path directory) throws IOException {
        Path workingDirectory = directory.toRealPath();
        List<String> command = new ArrayList<>(List.of(
                BUBBLEWRAP,
                "--unshare-user-try",
                "--unshare-pid",
                "--unshare-ipc",
                "--unshare-uts",
                "--unshare-cgroup-try",
                "--new-session",
                "--cap-drop",
                "ALL",
                "--proc",
                "/proc",
                "--dev",
                "/dev",
                "--tmpfs",
                "/tmp"));
        SYSTEM_PATHS.forEach(path -> command.addAll(List.of("--ro-bind-try", path, path)));
        // On many systems, this file is a link into /run.
        bind(command, "--ro-bind-try", Path.of("/etc/resolv.conf"));
        bind(command, "--ro-bind", workingDirectory);
        for (Path path : readable) {
            bind(command, "--ro-bind", path);
        }
        for (Path path : writable) {
            bind(command, "--bind", path);
        }
        // The last mount of a path counts.
        for (Path path : hidden) {
            if (Files.exists(path)) {
                String real = path.toRealPath().toString();
                command.addAll(
                        Files.isDirectory(path) ? List.of("--tmpfs", real) : List.of("--ro-bind", "/dev/null", real));
            }
        }
        command.addAll(List.of("--chdir", workingDirectory.toString(), "--"));
        return command;
    }

    private static void bind(List<String> command, String option, Path path) throws IOException {
        if (!Files.exists(path)) {
            if (option.endsWith("-try")) {
                return;
            }
            throw new IOException(path + " does not exist, so the sandbox cannot show it");
        }
        String real = path.toRealPath().toString();
        command.addAll(List.of(option, real, real));
    }
}
