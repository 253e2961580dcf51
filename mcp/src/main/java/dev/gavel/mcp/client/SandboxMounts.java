package dev.gavel.mcp.client;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Computes the bubblewrap options that show directories to a sandboxed process and hide the gateway's files in them. A
 * mount over a hidden file would end as soon as a program replaces the file. So a directory that contains something
 * hidden is not mounted itself. The sandbox has its own directory instead, into which every other entry is mounted.
 * Not thread-safe.
 */
final class SandboxMounts {
    /** The directories of the system. Not in this list: home directories, /run with its sockets, /var, /srv. */
    private static final List<String> SYSTEM_PATHS =
            List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix");

    /** The directories that the sandbox creates itself. */
    private static final List<Path> OWN_DIRECTORIES = List.of(Path.of("/proc"), Path.of("/dev"));

    private static final Path TEMPORARY = Path.of("/tmp");

    /** How many entries the sandbox's own directories may have. Each entry is a mount. */
    private static final int MAX_ENTRIES = 1000;

    /** How many symbolic links are followed to find a hidden path. */
    private static final int MAX_LINKS = 40;

    private final Set<Path> hidden = new HashSet<>();
    private final List<String> options = new ArrayList<>();
    private int entries;

    private SandboxMounts(Collection<Path> hidden) throws IOException {
        for (Path path : hidden) {
            addHidden(path.toAbsolutePath().normalize());
        }
    }

    /**
     * Returns the options.
     *
     * @param workingDirectory an absolute path without links
     * @throws IOException if a path cannot be shown, with the reason
     */
    static List<String> options(
            Path workingDirectory, List<Path> readable, List<Path> writable, Collection<Path> hidden)
            throws IOException {
        SandboxMounts mounts = new SandboxMounts(hidden);
        mounts.options.addAll(List.of("--tmpfs", TEMPORARY.toString()));
        mounts.showSystem();
        mounts.show("the working directory", workingDirectory);
        for (Path path : readable) {
            mounts.show("the readable path", path);
        }
        for (Path path : writable) {
            mounts.showWritable(path);
        }
        mounts.options.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
        return mounts.options;
    }

    /**
     * Returns the reason why a sandbox never shows a path, whatever it hides: the path contains the whole system, the
     * home directories, or a directory that the sandbox creates itself. Empty if it can show the path.
     *
     * @param homes the home directories of the account that runs Gavel
     */
    static Optional<String> problem(Path path, List<Path> homes) {
        Path real = realPath(path);
        if (real.getParent() == null) {
            return Optional.of("a sandbox cannot show " + real + ", because this shows all files of the machine");
        }
        if (TEMPORARY.equals(real)) {
            return Optional.of("a sandbox cannot show /tmp, because it has its own /tmp. Name a directory in it");
        }
        for (Path own : OWN_DIRECTORIES) {
            if (real.startsWith(own)) {
                return Optional.of("a sandbox cannot show " + real + ", because it has its own " + own);
            }
        }
        return homes.stream()
                .map(SandboxMounts::realPath)
                .filter(directory -> directory.startsWith(real) && !directory.equals(real))
                .findFirst()
                .map(directory ->
                        "a sandbox cannot show " + real + ", because it contains the home directory " + directory);
    }

    /**
     * Returns the reason why a server could choose what the sandbox shows at a path after a restart: a writable path
     * contains it, so the server can replace it by a link. Empty if it cannot.
     */
    static Optional<String> replacementProblem(Path path, List<Path> writable) {
        Path configured = path.toAbsolutePath().normalize();
        Path real = realPath(path);
        return writable.stream()
                .filter(each -> isInside(configured, each.toAbsolutePath().normalize())
                        || isInside(configured, realPath(each))
                        || isInside(real, realPath(each)))
                .findFirst()
                .map(each -> "the sandbox cannot show " + configured + ", because it is in the writable path " + each
                        + ", where the server could replace it by a link to another directory. Name only one of them");
    }

    private static boolean isInside(Path path, Path directory) {
        return path.startsWith(directory) && !path.equals(directory);
    }

    /** Adds a path, and the targets of the symbolic links in it. */
    private void addHidden(Path path) throws IOException {
        Path location = path;
        for (int links = 0; links < MAX_LINKS; links++) {
            Path parent = location.getParent();
            location = parent == null ? location : realPath(parent).resolve(location.getFileName());
            hidden.add(location);
            if (!Files.isSymbolicLink(location)) {
                return;
            }
            location = location.resolveSibling(Files.readSymbolicLink(location)).normalize();
        }
        throw new IOException(path + " has too many symbolic links, so the sandbox cannot hide it");
    }

    /** Returns the path without symbolic links. Its last names need not exist. */
    private static Path realPath(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        try {
            return absolute.toRealPath();
        } catch (IOException e) {
            Path parent = absolute.getParent();
            return parent == null ? absolute : realPath(parent).resolve(absolute.getFileName());
        }
    }

    /**
     * Shows the directories of the system, and masks what is hidden in them. Only root can replace a directory in them,
     * and a copy of a directory such as /etc would become outdated.
     */
    private void showSystem() throws IOException {
        for (String path : SYSTEM_PATHS) {
            options.addAll(List.of("--ro-bind-try", path, path));
        }
        // On many systems, this file is a link into /run.
        Path resolver = Path.of("/etc/resolv.conf");
        if (Files.exists(resolver)) {
            bind("--ro-bind-try", resolver.toRealPath());
        }
        for (String path : SYSTEM_PATHS) {
            Path system = Path.of(path);
            if (Files.isDirectory(system) && system.toRealPath().equals(system)) {
                Set<Path> masked = new HashSet<>();
                for (Path each : hiddenBelow(system)) {
                    Path child = system.resolve(system.relativize(each).getName(0));
                    if (Files.exists(child)) {
                        masked.add(Files.isDirectory(child) ? child : system);
                    }
                }
                for (Path each : masked.contains(system) ? Set.of(system) : masked) {
                    if (hidden.contains(each)) {
                        options.addAll(List.of("--tmpfs", each.toString(), "--remount-ro", each.toString()));
                    } else {
                        rebuild(each);
                    }
                }
            }
        }
    }

    private void show(String label, Path path) throws IOException {
        Path real = requireShowable(label, path);
        if (hiddenBelow(real).isEmpty()) {
            bind("--ro-bind", real);
        } else {
            rebuild(real);
        }
    }

    private void showWritable(Path path) throws IOException {
        Path real = requireShowable("the writable path", path);
        Optional<Path> inside = hiddenBelow(real).stream().sorted().findFirst();
        if (inside.isPresent()) {
            throw new IOException("the sandbox cannot show the writable path " + real + ", because it contains "
                    + inside.get() + ", which it hides. Choose a directory that contains no files of Gavel");
        }
        bind("--bind", real);
    }

    private Path requireShowable(String label, Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new IOException(path + " does not exist, so the sandbox cannot show it");
        }
        Path real = path.toRealPath();
        Optional<Path> around = hidden.stream().filter(real::startsWith).findFirst();
        if (around.isPresent()) {
            throw new IOException("the sandbox cannot show " + label + " " + real + ", because it hides " + around.get()
                    + ". Choose a directory that contains no files of Gavel");
        }
        return real;
    }

    private List<Path> hiddenBelow(Path directory) {
        return hidden.stream()
                .filter(path -> path.startsWith(directory) && !path.equals(directory))
                .toList();
    }

    private void bind(String option, Path path) {
        options.addAll(List.of(option, path.toString(), path.toString()));
    }

    /** Shows a directory of the sandbox with the entries that the directory has now, without the hidden ones. */
    private void rebuild(Path directory) throws IOException {
        options.addAll(List.of("--tmpfs", directory.toString()));
        addEntries(directory);
        options.addAll(List.of("--remount-ro", directory.toString()));
    }

    private void addEntries(Path directory) throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
            for (Path child : children) {
                if (hidden.contains(child)) {
                    continue;
                }
                if (++entries > MAX_ENTRIES) {
                    throw new IOException("the sandbox cannot hide "
                            + hiddenBelow(directory).getFirst() + ", because " + directory + " has more than "
                            + MAX_ENTRIES + " entries. Choose a working directory that contains no files of Gavel");
                }
                if (Files.isSymbolicLink(child)) {
                    options.addAll(
                            List.of("--symlink", Files.readSymbolicLink(child).toString(), child.toString()));
                } else if (hiddenBelow(child).isEmpty() || !Files.isDirectory(child)) {
                    bind("--ro-bind-try", child);
                } else {
                    options.addAll(List.of("--dir", child.toString()));
                    addEntries(child);
                }
            }
        }
    }
}
