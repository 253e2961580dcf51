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
 * gateway's files. If the isolation is not possible, the process does not start. Every process gets its own session,
 * so that it cannot open the terminal of the gateway and type into it. Immutable.
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

    /** The program that starts a process in a session without a terminal. */
    private static final String SETSID = "setsid";

    private static final String SETPRIV = "setpriv";
    private static final Pattern USER_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");

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

    /** Returns the reason why no sandbox can show this path; empty if there is none. */
    public static Optional<String> pathProblem(Path path) {
        return SandboxMounts.problem(path, homes());
    }

    private static List<Path> homes() {
        return Stream.of(Optional.ofNullable(System.getenv("HOME")), Optional.of(System.getProperty("user.home", "")))
                .flatMap(Optional::stream)
                .map(Path::of)
                .filter(Path::isAbsolute)
                .toList();
    }

    /**
     * Returns the reason why the sandbox cannot show what it has to show and hide what it has to hide; empty if there is
     * none.
     *
     * @param directory the working directory of the process; that of this process if empty
     */
    public Optional<String> sandboxProblem(Optional<Path> directory) {
        try {
            if (sandbox) {
                sandboxCommand(directory.orElse(Path.of("")));
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Changes the command and the environment of a process that is not started yet. */
    void apply(ProcessBuilder builder, Map<String, String> configuredVariables) throws IOException {
        List<String> launcher = new ArrayList<>();
        String searchPath = System.getenv().getOrDefault("PATH", "");
        if (user.isPresent()) {
            requireProgram(SETSID, "Install the package util-linux.");
        }
        if (isInstalled(SETSID, searchPath)) {
            if (user.isEmpty() && !sandbox) {
                Optional<String> program = findProgram(builder, searchPath);
                if (program.isPresent()) {
                    launcher.addAll(List.of(SETSID, "--"));
                    builder.command().set(0, program.get());
                }
            } else {
                launcher.addAll(List.of(SETSID, "--"));
            }
        }
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

    /**
     * Finds the program as Java does, which reports a missing program better than a launcher, and searches the path of
     * this process. Empty if there is no such program.
     */
    private static Optional<String> findProgram(ProcessBuilder builder, String searchPath) {
        String program = builder.command().getFirst();
        Path directory = Optional.ofNullable(builder.directory())
                .map(file -> file.toPath())
                .orElse(Path.of(""))
                .toAbsolutePath();
        Stream<Path> files = program.indexOf('/') >= 0
                ? Stream.of(directory.resolve(program))
                : Stream.of(searchPath.split(":", -1))
                        .map(each -> directory.resolve(each).resolve(program));
        return files.filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                .findFirst()
                .map(Path::toString);
    }

    /** Whether a directory of the search path contains the program. */
    public static boolean isInstalled(String program, String searchPath) {
        return Stream.of(searchPath.split(":", -1))
                .map(directory -> Path.of(directory, program))
                .anyMatch(file -> Files.isExecutable(file) && !Files.isDirectory(file));
    }

    private List<String> sandboxCommand(Path directory) throws IOException {
        for (Path path : Stream.of(List.of(directory), readable, writable)
                .flatMap(List::stream)
                .toList()) {
            Optional<String> problem = pathProblem(path).or(() -> SandboxMounts.replacementProblem(path, writable));
            if (problem.isPresent()) {
                throw new IOException(problem.get());
            }
        }
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
                "ALL"));
        command.addAll(SandboxMounts.options(workingDirectory, readable, writable, hidden));
        command.addAll(List.of("--chdir", workingDirectory.toString(), "--"));
        return command;
    }
}
