package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the script {@code check} in a small tree, on a machine without browser, bus and Node.js: stand-ins for Maven,
 * apt-get and id write down how they were called.
 */
class CheckScriptTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String RECORDER = "#!/bin/sh\necho \"${0##*/} $*\" >>\"$CALLS\"\n";

    @TempDir
    private Path directory;

    private Path calls;

    @BeforeEach
    void setUp() throws IOException {
        calls = directory.resolve("calls");
        Path tree = directory.resolve("tree");
        Files.createDirectories(tree.resolve("build"));
        for (String file : new String[] {"check", "build/jdk.sh"}) {
            Files.copy(ROOT.resolve(file), tree.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Path programs = Files.createDirectory(directory.resolve("programs"));
        for (String program : new String[] {"sh", "dirname", "sed", "rm", "cat", "head", "grep"}) {
            Path found = Path.of("/usr/bin", program);
            Files.createSymbolicLink(programs.resolve(program), Files.exists(found) ? found : Path.of("/bin", program));
        }
        write(programs.resolve("mvn"), RECORDER);
        write(programs.resolve("apt-get"), RECORDER);
        write(programs.resolve("id"), "#!/bin/sh\necho 0\n");
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Runs the script as root and returns its messages. */
    private String check(String... options) throws Exception {
        String[] command = new String[options.length + 1];
        command[0] = directory.resolve("tree/check").toString();
        System.arraycopy(options, 0, command, 1, options.length);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", directory.resolve("programs").toString(),
                        "JAVA_HOME", System.getProperty("java.home"),
                        "CALLS", calls.toString()));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void itInstallsNothingUnlessAsked() throws Exception {
        assertThat(check())
                .contains("check: chromium is not installed: the tests of the console's pages fail")
                .contains("run './check --install' as root");

        assertThat(calls).content().isEqualTo("mvn -B -ntp -T 2 verify\n");
    }

    @Test
    void itInstallsWhatIsMissingIfAsked() throws Exception {
        assertThat(check("--install", "-pl", "mcpx"))
                .contains("check: installed")
                .contains(" chromium");

        assertThat(calls).content().contains("apt-get install -y -q zsh fish nodejs npm chromium bubblewrap");
        assertThat(calls).content().endsWith("mvn -B -ntp -T 2 verify -pl mcpx\n");
    }

    @Test
    void theContinuousIntegrationAsksForIt() throws Exception {
        assertThat(ROOT.resolve(".ci/run")).content().contains("check\" --install");
    }
}
