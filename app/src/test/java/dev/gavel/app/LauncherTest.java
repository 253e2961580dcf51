package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the script {@code gavel} in a small source tree, with a stand-in for Maven that writes a program, and one for
 * Java that prints the program it is given.
 */
class LauncherTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Reads all input, and writes the program's text to the new build. Waits while the file {@code hold} exists; fails if {@code fail} does. */
    private static final String MAVEN = """
            #!/bin/sh
            for argument; do
              case $argument in -Ddist.directory=*) dist=${argument#*=} ;; esac
            done
            cat >/dev/null
            echo run >>"$TREE/maven-runs"
            echo '[INFO] Building Gavel yaml 0.1.0-SNAPSHOT                                   [1/2]'
            echo '[INFO] Building Gavel app 0.1.0-SNAPSHOT                                    [2/2]'
            while [ -e "$TREE/hold" ]; do sleep 0.1; done
            if [ -e "$TREE/fail" ]; then
              echo "[ERROR] $TREE/app/src/main/App.java:[1,1] not a statement"
              exit 1
            fi
            mkdir -p "$dist"
            cp "$TREE/app/src/main/App.java" "$dist/gavel.jar"
            """;

    private static final String JAVA = """
            #!/bin/sh
            while [ "$1" != -jar ]; do shift; done
            cat "$2"
            [ "$3" != mcp ] || cat
            while [ "$3" = serve ] && [ -e "$TREE/serving" ]; do sleep 0.1; done
            """;

    @TempDir
    private Path directory;

    private Path tree;
    private Path source;
    private final List<Process> started = new ArrayList<>();

    private record Run(int exit, String out, String err) {}

    @BeforeEach
    void createTree() throws IOException {
        tree = Files.createDirectory(directory.resolve("tree"));
        Files.createDirectory(tree.resolve("build"));
        for (String file : List.of("gavel", "build/jdk.sh", "build/sources.sh", "build/launcher.sh")) {
            Files.copy(ROOT.resolve(file), tree.resolve(file));
        }
        Files.writeString(tree.resolve("pom.xml"), "<project/>");
        source = Files.createDirectories(tree.resolve("app/src/main")).resolve("App.java");
        Path jdk = directory.resolve("jdk");
        program(jdk.resolve("bin/java"), JAVA);
        program(jdk.resolve("bin/javac"), "#!/bin/sh\n");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        program(directory.resolve("tools/mvn"), MAVEN);
        edit("first");
    }

    @AfterEach
    void stop() throws Exception {
        Files.deleteIfExists(tree.resolve("hold"));
        Files.deleteIfExists(tree.resolve("serving"));
        for (Process process : started) {
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
        await().until(() -> !Files.exists(tree.resolve("target/building")));
    }

    private static void program(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void edit(String text) throws IOException {
        Files.writeString(source, text);
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(tree.resolve("gavel").toString()));
        command.addAll(List.of(arguments));
        return start(new ProcessBuilder(command), environment);
    }

    private Process start(ProcessBuilder builder, Map<String, String> environment) throws IOException {
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().put("TREE", tree.toString());
        builder.environment().merge("PATH", directory.resolve("tools") + ":", (path, tools) -> tools + path);
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Run gavel(Map<String, String> environment) throws Exception {
        Process process = start(environment, "health");
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out, err);
    }

    private Run gavel() throws Exception {
        return gavel(Map.of());
    }

    private int mavenRuns() throws IOException {
        return Files.readAllLines(tree.resolve("maven-runs")).size();
    }

    private List<Path> builds() throws IOException {
        try (Stream<Path> builds = Files.list(tree.resolve("target/builds"))) {
            return builds.toList();
        }
    }

    private void awaitBuild() {
        await().until(() -> !Files.exists(tree.resolve("target/building")));
    }

    @Test
    void theFirstStartBuildsAndShowsProgress() throws Exception {
        Run first = gavel();
        assertThat(first).extracting(Run::exit, Run::out).containsExactly(0, "first");
        assertThat(first.err()).contains("gavel: building: Gavel yaml [1/2]\n", "gavel: building: Gavel app [2/2]\n");

        assertThat(gavel()).isEqualTo(new Run(0, "first", ""));
        assertThat(mavenRuns()).isEqualTo(1);
    }

    @Test
    void theFirstBuildLeavesTheInputToTheProgram() throws Exception {
        Process process = start(Map.of(), "mcp");
        try (OutputStream input = process.getOutputStream()) {
            input.write("initialize".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("firstinitialize");
    }

    @Test
    void aStartThatWaitsForARunningBuildStillBuildsLaterChanges() throws Exception {
        gavel();
        Files.createFile(tree.resolve("hold"));
        edit("second");
        gavel();
        await().until(() -> mavenRuns() == 2);
        edit("third");
        Process waiting = start(Map.of("GAVEL_BUILD", "wait"), "health");
        Files.delete(tree.resolve("hold"));
        assertThat(new String(waiting.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("third");
    }

    @Test
    void aLockOfAProcessThatIsNotABuildIsRemoved() throws Exception {
        Path lock = Files.createDirectories(tree.resolve("target/building"));
        Files.writeString(
                lock.resolve("pid"), Long.toString(ProcessHandle.current().pid()));
        assertThat(gavel().out()).isEqualTo("first");
    }

    @Test
    void aChangedSourceIsBuiltInTheBackgroundForTheNextStart() throws Exception {
        gavel();
        Files.createFile(tree.resolve("hold"));
        edit("second");

        Run meanwhile = gavel();
        assertThat(meanwhile).extracting(Run::exit, Run::out).containsExactly(0, "first");
        assertThat(meanwhile.err()).contains("running the previous build");
        await().until(() -> mavenRuns() == 2);
        gavel();
        Files.delete(tree.resolve("hold"));
        awaitBuild();

        assertThat(gavel().out()).isEqualTo("second");
    }

    @Test
    void aStartCanWaitForTheNewBuild() throws Exception {
        gavel();
        edit("second");

        assertThat(gavel(Map.of("GAVEL_BUILD", "never"))).isEqualTo(new Run(0, "first", ""));
        assertThat(gavel(Map.of("GAVEL_BUILD", "wait")).out()).isEqualTo("second");
    }

    @Test
    void aServerThatIsStartedAtATerminalWaitsForTheNewBuild() throws Exception {
        gavel();
        edit("second");

        ProcessBuilder builder = new ProcessBuilder("script", "-qec", tree.resolve("gavel") + " serve", "/dev/null")
                .redirectErrorStream(true);
        Process process = start(builder, Map.of());
        String screen = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(screen).endsWith("second");
    }

    @Test
    void aFailedRebuildKeepsThePreviousBuildAndIsNotRepeated() throws Exception {
        gavel();
        Files.createFile(tree.resolve("fail"));
        edit("broken");
        gavel();
        await().until(() -> Files.exists(tree.resolve("target/build-failed")));
        awaitBuild();

        Run after = gavel();
        assertThat(after).extracting(Run::exit, Run::out).containsExactly(0, "first");
        assertThat(after.err()).contains("building them failed");
        assertThat(mavenRuns()).isEqualTo(2);
    }

    @Test
    void aFailedFirstBuildIsReported() throws Exception {
        Files.createFile(tree.resolve("fail"));
        Run run = gavel();
        assertThat(run).extracting(Run::exit, Run::out).containsExactly(2, "");
        assertThat(run.err()).contains("App.java:[1,1] not a statement", "gavel: the build failed; see ");
    }

    @Test
    void aBuildThatAProgramUsesIsKept() throws Exception {
        gavel();
        Path used = tree.resolve("target/gavel").toRealPath();
        Files.createFile(tree.resolve("serving"));
        start(Map.of(), "serve");
        await().until(() -> started.getLast().getInputStream().available() > 0);
        for (int edition = 1; edition <= 4; edition++) {
            edit("edition " + edition);
            gavel(Map.of("GAVEL_BUILD", "wait"));
        }
        assertThat(used).exists();
        // The build in use, the newest one, and the one before it, which a start may just have found.
        assertThat(builds()).hasSize(3);
    }
}
