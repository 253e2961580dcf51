package dev.gavel.app.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.client.examples.Fragments;
import dev.gavel.app.config.ConfigFileReader;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.End;
import dev.gavel.client.Participant;
import dev.gavel.client.Pending;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.yaml.ProblemCollector;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the code in docs/client.md and in the library's Javadoc is the code compiled here, and that it works as
 * described.
 */
@Timeout(120)
class ExamplesTest {
    private static final Path DOCUMENT = Path.of("../docs/client.md");
    private static final Path EXAMPLES = Path.of("src/test/java/dev/gavel/app/client/examples");
    private static final Path LIBRARY = Path.of("../client/src/main/java/dev/gavel/client");
    private static final Pattern CODE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SETUP = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SNIPPET = Pattern.compile("\\{@snippet :\\n(.*?)\\n \\* \\}\\n", Pattern.DOTALL);

    @TempDir
    private Path directory;

    private static List<String> blocks(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    /** A program as the document shows it: without its package. */
    private static String program(String name) throws IOException {
        String source = Files.readString(EXAMPLES.resolve(name + ".java"));
        return source.substring(source.indexOf("import "));
    }

    private static List<String> stripped(String code) {
        return code.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    @Test
    void everyProgramInTheDocumentIsOneOfTheseAndShort() throws IOException {
        List<String> blocks = blocks(CODE, Files.readString(DOCUMENT));
        for (String name : List.of("Agent", "ToolServer", "ReviewDesk")) {
            assertThat(blocks).contains(program(name));
            assertThat(program(name).lines().count()).isLessThan(32);
        }
    }

    @Test
    void everyPieceOfCodeStandsInASourceThatIsCompiled() throws IOException {
        List<String> snippets = new ArrayList<>(blocks(CODE, Files.readString(DOCUMENT)));
        try (Stream<Path> sources = Files.walk(LIBRARY)) {
            for (Path source :
                    sources.filter(each -> each.toString().endsWith(".java")).toList()) {
                blocks(SNIPPET, Files.readString(source))
                        .forEach(snippet -> snippets.add(snippet.replaceAll("(?m)^ \\*", "")));
            }
        }
        assertThat(snippets).hasSizeGreaterThan(6);
        List<List<String>> compiled = new ArrayList<>();
        try (Stream<Path> sources = Files.list(EXAMPLES)) {
            for (Path source : sources.toList()) {
                compiled.add(stripped(Files.readString(source)));
            }
        }
        assertThat(snippets)
                .allSatisfy(piece -> assertThat(compiled)
                        .as(piece)
                        .anySatisfy(source -> assertThat(source).containsSequence(stripped(piece))));
    }

    @Test
    void theProgramsDoTogetherWhatTheDocumentSays() throws Exception {
        Map<String, String> tokens = Map.of(
                "ALICE_TOKEN", "alice-0123456789abcdef",
                "FILES_TOKEN", "files-0123456789abcdef",
                "HELPER_TOKEN", "helper-0123456789abcdef");
        String setup = blocks(SETUP, Files.readString(DOCUMENT)).getFirst();
        ProblemCollector problemCollector = new ProblemCollector();
        var config = new ConfigFileReader(tokens::get, problemCollector)
                .read("gavel.yaml", "listen: 127.0.0.1:0\ndata: \"" + directory.resolve("data") + "\"\n" + setup);
        assertThat(problemCollector.list()).isEmpty();
        Path old = Files.createDirectories(directory.resolve("files/old"));
        Files.writeString(old.resolve("notes.txt"), "notes");
        List<Process> running = new ArrayList<>();
        try (TestServer server = new TestServer(config, 1)) {
            String url = "http://127.0.0.1:" + server.listen().port();
            running.add(start("ToolServer", url, tokens));
            // A proposal that is approved before the tool server is connected stays open.
            awaitParticipant(url, "files");
            running.add(start("ReviewDesk", url, tokens));
            Process agent = start("Agent", url, tokens);
            running.add(agent);
            String output = new String(agent.getInputStream().readAllBytes(), UTF_8);
            assertThat(output).endsWith("done: deleted files/old/notes.txt\n");
            assertThat(agent.waitFor()).isZero();
            assertThat(Files.exists(old.resolve("notes.txt"))).isFalse();
        } finally {
            running.forEach(Process::destroyForcibly);
        }
    }

    private static void awaitParticipant(String url, String identity) {
        try (RemoteGateway gateway =
                new RemoteGateway(new GatewayEndpoint(URI.create(url), Optional.of("alice" + TestServer.SECRET)))) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> gateway.topic("main").at("participants").elements().stream()
                            .anyMatch(each -> each.at("id").text().equals(identity)));
        }
    }

    /** Runs a program from its source file. */
    private Process start(String name, String url, Map<String, String> tokens) throws IOException {
        Path source = Files.writeString(directory.resolve(name + ".java"), program(name));
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--class-path",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        source.toString(),
                        url)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(tokens);
        return builder.start();
    }

    @Test
    void theShorterPiecesWorkToo() throws Exception {
        try (ClientTestServer clientTestServer = new ClientTestServer(directory)) {
            Participant helper =
                    Fragments.logged(clientTestServer.gavel("helper")).connect();
            try (helper) {
                assertThat(Fragments.patience(helper, Call.tool("x"), Duration.ofMillis(1)))
                        .isInstanceOf(End.Withdrawn.class);
                Participant alice = clientTestServer.join("alice").review(Fragments.atLeisure());
                Fragments.raw(alice);
                Pending pending = helper.propose(Call.tool("y")).send();
                pending.accepted().join();
                alice.decide(alice.proposal(pending.id()), Decision.reject("unsafe"))
                        .join();
                assertThat(pending.await()).isInstanceOf(End.Rejected.class);
            }
        }
    }
}
