package dev.gavel.app.interop;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Locates and starts the MCP clients and servers of other projects. Stateless. */
public final class InteropPrograms {
    private static final String MISSING = "the clients and servers that Gavel is tested with are not installed ("
            + "%s is missing): run ./check, or npm ci in interop";

    private InteropPrograms() {}

    /** The directory {@code interop} of the source tree. */
    public static Path folder() {
        for (Path here = Path.of("").toAbsolutePath(); here != null; here = here.getParent()) {
            Path folder = here.resolve("interop");
            if (Files.exists(folder.resolve("package-lock.json"))) {
                return folder;
            }
        }
        throw new AssertionError(
                "there is no folder interop at or above " + Path.of("").toAbsolutePath());
    }

    /** A Node.js new enough for all of these programs, which the installed one need not be. */
    public static Path node() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
        String processor = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        Path own = folder().resolve("node_modules").resolve("node-" + system + "-" + processor);
        if (Files.exists(own)) {
            return own.resolve("bin").resolve("node");
        }
        // npm does not offer Node.js for every platform.
        return onPath().filter(_ -> Files.exists(folder().resolve("node_modules")))
                .orElseThrow(() -> new AssertionError(MISSING.formatted(own)));
    }

    /** The reference server with every feature, over standard input and output. */
    public static List<String> everything() {
        return script("node_modules/@modelcontextprotocol/server-everything/dist/index.js", "stdio");
    }

    /** The reference server for files, over standard input and output. */
    public static List<String> filesystem(Path directory) {
        return script("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", directory.toString());
    }

    /** The Inspector without its web pages: prints the result of one request and exits. */
    public static List<String> inspector(String... arguments) {
        return script(
                "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
                Stream.concat(Stream.of("--cli"), Stream.of(arguments)).toArray(String[]::new));
    }

    /**
     * The proxy mcp-remote, which offers a server over standard input and output. It connects only to this machine. It
     * writes only to the directory, and starts no programs, such as a browser.
     */
    static List<String> mcpRemote(String url, String token, Path directory) {
        List<String> command = new ArrayList<>(script("node_modules/mcp-remote/dist/proxy.js", url, "--silent"));
        command.addAll(List.of("--header", "Authorization: Bearer " + token));
        command.addAll(
                1,
                List.of(
                        "--permission",
                        "--allow-fs-read=*",
                        "--allow-fs-write=" + directory,
                        "--import",
                        folder().resolve("compatibility/offline.mjs").toString()));
        return List.copyOf(command);
    }

    /** The official conformance suite. */
    public static List<String> conformance(String... arguments) {
        return script("node_modules/@modelcontextprotocol/conformance/dist/index.js", arguments);
    }

    /** The command line that runs a script of the directory {@code interop}. */
    public static List<String> script(String script, String... arguments) {
        Path file = folder().resolve(script);
        if (!Files.exists(file)) {
            throw new AssertionError(MISSING.formatted(file));
        }
        List<String> command = new ArrayList<>(List.of(node().toString(), file.toString()));
        command.addAll(List.of(arguments));
        return List.copyOf(command);
    }

    /** Formats a command as a list in a configuration file. */
    public static String yaml(List<String> command) {
        return command.stream()
                .map(word -> '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .toList()
                .toString();
    }

    private static Optional<Path> onPath() {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, "node"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
