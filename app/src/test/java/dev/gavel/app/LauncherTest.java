package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the launcher of the distribution, in a directory with a fake Java that only prints how it was called. */
class LauncherTest {
    @TempDir
    private Path program;

    @BeforeEach
    void install() throws IOException {
        executable(Files.copy(Path.of("src", "dist", "gavel"), program.resolve("gavel")));
        Path bin = Files.createDirectories(program.resolve("java/bin"));
        executable(Files.writeString(bin.resolve("java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n"));
    }

    private static void executable(Path file) {
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private String run(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder();
        builder.command().add(program.resolve("gavel").toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().remove("JAVA_HOME");
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return out;
    }

    @Test
    void theVersionIsSaidWithoutJava() throws Exception {
        Files.writeString(program.resolve("version"), "gavel 1.2.3\n");
        assertThat(run("--version")).isEqualTo("gavel 1.2.3\n");
    }

    @Test
    void withoutTheFileJavaIsAskedForTheVersion() throws Exception {
        assertThat(run("--version").lines()).endsWith("-jar", program.toRealPath() + "/gavel.jar", "--version");
    }

    @Test
    void everythingElseIsForJavaAsItWasTyped() throws Exception {
        Files.writeString(program.resolve("version"), "gavel 1.2.3\n");
        assertThat(run("--version", "serve").lines()).endsWith("--version", "serve");
        assertThat(run("topic", "a  b", "").lines()).endsWith("topic", "a  b", "");
        assertThat(run("serve").lines()).contains("-Dorg.sqlite.lib.path=" + program.toRealPath() + "/native");
    }
}
