package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the scripts {@code gavel} and {@code check} on machines with other JDKs: which one they find, and what they
 * print if there is none.
 */
class CommandsWithoutJdkTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path machine;

    private Path tools;
    private Path jdks;

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void build() throws IOException {
        tools = Files.createDirectory(machine.resolve("tools"));
        jdks = Files.createDirectory(machine.resolve("jdks"));
        for (String tool : List.of("sh", "dirname", "readlink")) {
            Files.createSymbolicLink(tools.resolve(tool), tool(tool));
        }
    }

    private static Path tool(String name) {
        return List.of("/bin", "/usr/bin").stream()
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private Path jdk(Path parent, String name, String version) throws IOException {
        Path home = Files.createDirectories(parent.resolve(name));
        Files.createDirectory(home.resolve("bin"));
        for (String program : List.of("java", "javac")) {
            Path file = Files.writeString(home.resolve("bin").resolve(program), "#!/bin/sh\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private Ended run(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        builder.environment().put("HOME", machine.toString());
        builder.environment().put("GAVEL_JDK_DIRS", jdks.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out, err);
    }

    private String found(Map<String, String> environment) throws Exception {
        Ended ended = run(
                environment,
                tools.resolve("sh").toString(),
                "-c",
                ". " + ROOT.resolve("build/jdk.sh") + "; find_jdk && printf %s \"$jdk_home\"");
        assertThat(ended.err()).isEmpty();
        return ended.out();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gavel", "check"})
    void withoutAJdkTheySayWhichIsNeededAndWhereTheyLooked(String command) throws Exception {
        Ended ended = run(Map.of(), ROOT.resolve(command).toString(), "--version");
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err())
                .startsWith(command + ": JDK 25 or newer is required")
                .contains("$JAVA_HOME", "$PATH", jdks.toString(), "install");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void anOldJdkIsNamedAsTooOld() throws Exception {
        Path old = jdk(jdks, "old", "21.0.1");
        Ended ended = run(Map.of(), ROOT.resolve("gavel").toString(), "serve");
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("too old: " + old + " (21)");
    }

    @Test
    void javaHomeIsTakenWhereItIsNewEnough() throws Exception {
        Path home = jdk(machine, "home", "25.0.1");
        jdk(jdks, "other", "25");
        assertThat(found(Map.of("JAVA_HOME", home.toString()))).isEqualTo(home.toString());
    }

    @Test
    void anOldJavaHomeIsPassedBy() throws Exception {
        Path old = jdk(machine, "old", "17.0.15");
        Path other = jdk(jdks, "other", "25");
        assertThat(found(Map.of("JAVA_HOME", old.toString()))).isEqualTo(other.toString());
    }

    @Test
    void theJavaOfThePathIsFollowedThroughLinks() throws Exception {
        Path home = jdk(machine, "elsewhere", "25.0.3");
        Path link = Files.createSymbolicLink(machine.resolve("link"), home.resolve("bin/java"));
        Files.createSymbolicLink(tools.resolve("java"), link);
        assertThat(found(Map.of())).isEqualTo(home.toRealPath().toString());
    }

    @Test
    void theWantedVersionBeatsANewerOne() throws Exception {
        jdk(jdks, "a-newer", "27");
        Path wanted = jdk(jdks, "b-wanted", "25.0.2");
        assertThat(found(Map.of())).isEqualTo(wanted.toString());
    }

    @Test
    void aNewerVersionWillDo() throws Exception {
        Path newer = jdk(jdks, "newer", "26-ea");
        assertThat(found(Map.of())).isEqualTo(newer.toString());
    }

    @Test
    void aJreIsNoJdk() throws Exception {
        Path jre = jdk(jdks, "jre", "25");
        Files.delete(jre.resolve("bin/javac"));
        assertThat(run(Map.of(), ROOT.resolve("gavel").toString()).code()).isEqualTo(2);
    }
}
