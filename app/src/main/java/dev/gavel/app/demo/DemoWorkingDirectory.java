package dev.gavel.app.demo;

import dev.gavel.app.config.ConfigFileReader;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.web.identity.InitialTokenFiles;
import dev.gavel.yaml.ProblemCollector;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The demo's directory with its configuration, tokens, ledger and sample files. Not thread-safe.
 *
 * @param temporary whether it is deleted when the demo ends
 */
public record DemoWorkingDirectory(Path directory, boolean temporary) implements AutoCloseable {
    /** The demo's only topic. */
    public static final String TOPIC = "demo";

    /** The identity that decides. */
    public static final String OWNER = "you";

    /** The identity that proposes. */
    public static final String AGENT = "agent";

    /** The configuration file; its existence marks a directory of an earlier demo. */
    private static final String FILE = "demo.yaml";

    /** Prepares the named directory, or a temporary one if none is named. Refuses a directory with other contents. */
    public static DemoWorkingDirectory prepare(Optional<Path> named) throws IOException {
        if (named.isPresent()) {
            requireEmptyOrDemo(named.get());
        }
        Path directory =
                named.isPresent() ? Files.createDirectories(named.get()) : Files.createTempDirectory("gavel-demo-");
        DemoWorkingDirectory demoWorkingDirectory = new DemoWorkingDirectory(directory.toRealPath(), named.isEmpty());
        if (!Files.exists(demoWorkingDirectory.file())) {
            Files.writeString(
                    demoWorkingDirectory.file(), "# 'gavel demo' writes its configuration here when it starts.\n");
        }
        InitialTokenFiles tokens = new InitialTokenFiles(demoWorkingDirectory.directory);
        // Creates the tokens if they do not exist.
        tokens.loadOrCreateHash(OWNER);
        tokens.loadOrCreateHash(AGENT);
        tokens.loadOrCreateHash(DemoSepSeeder.AUTHOR);
        tokens.loadOrCreateHash(DemoSepSeeder.SPONSOR);
        tokens.loadOrCreateHash(DemoSepSeeder.CORE_MAINTAINER);
        SampleFiles.createIn(demoWorkingDirectory.sandbox());
        return demoWorkingDirectory;
    }

    private static void requireEmptyOrDemo(Path directory) throws IOException {
        if (Files.exists(directory.resolve(FILE)) || !Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            Optional<Path> other = entries.findFirst();
            if (other.isPresent()) {
                throw new IOException(directory + " contains other files (such as "
                        + other.get().getFileName() + "). Use an empty or new directory.");
            }
        }
    }

    /** The directory of the sample files. */
    public Path sandbox() {
        return directory.resolve("files");
    }

    /** The file to which the configuration is written, for the user to read. */
    public Path file() {
        return directory.resolve(FILE);
    }

    /** The file with an identity's token. */
    public Path tokenFile(String identity) {
        return new InitialTokenFiles(directory).file(identity);
    }

    /** Returns the demo's configuration and writes it to {@link #file()}. */
    public ServerConfig config(ListenAddress listenAddress) throws IOException {
        String text = """
            # The configuration of 'gavel demo'. To run the server without the agent: gavel serve --config FILE
            listen: %s
            data: %s
            identities:
              you: {token: %s, roles: [core-maintainer, admin]}
              agent: {token: %s}
              # The author and the sponsor of the sample specification proposals, and a second core maintainer.
              mira: {token: %s, name: Mira}
              ben: {token: %s, name: Ben, roles: [maintainer]}
              ida: {token: %s, name: Ida, roles: [core-maintainer]}
            topics:
              demo:
                participants:
                  # Can do everything, and so can decide proposals.
                  you: ["*"]
                  # Can list and read files, and can propose any other call.
                  agent:
                    - "mcp.request.tools/call:list_files"
                    - "mcp.request.tools/call:read_file"
                    - "mcp.proposal.*"
                    - "mcpx.withdraw.proposal"
            bridges:
              # A sample MCP server that is part of Gavel. It moves deleted files to .trash.
              files: {topic: demo, command: %s}
            """.formatted(
                quoted(listenAddress.toString()),
                quoted(directory.toString()),
                quoted("file:" + tokenFile(OWNER)),
                quoted("file:" + tokenFile(AGENT)),
                quoted("file:" + tokenFile(DemoSepSeeder.AUTHOR)),
                quoted("file:" + tokenFile(DemoSepSeeder.SPONSOR)),
                quoted("file:" + tokenFile(DemoSepSeeder.CORE_MAINTAINER)),
                sampleServerCommand().stream().map(DemoWorkingDirectory::quoted).toList());
        Files.writeString(file(), text);
        ProblemCollector problemCollector = new ProblemCollector();
        ServerConfig config = new ConfigFileReader(_ -> null, problemCollector).read(file().toString(), text);
        if (!problemCollector.list().isEmpty()) {
            throw new IOException("the demo's own configuration is invalid: " + problemCollector.list());
        }
        return config;
    }

    /** Creates the sample SEPs if there are none yet. */
    public void createSampleSeps(URI url) throws IOException, InterruptedException {
        Map<String, String> tokens = new HashMap<>();
        for (String name : List.of(DemoSepSeeder.AUTHOR, DemoSepSeeder.SPONSOR, DemoSepSeeder.CORE_MAINTAINER)) {
            tokens.put(name, Files.readString(tokenFile(name)).strip());
        }
        new DemoSepSeeder(url, tokens, LocalDate.now(ZoneOffset.UTC)).seed();
    }

    /** The command that runs the sample server: this program, with the Java that runs it now. */
    private List<String> sampleServerCommand() {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-Xshare:auto"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.gavel.app.Main"));
        command.addAll(List.of("demo-files", sandbox().toString()));
        return command;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Deletes the directory if it is temporary. */
    @Override
    public void close() throws IOException {
        if (temporary && Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
