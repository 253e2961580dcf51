package dev.gavel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests the protection in a separate process, because it cannot be undone. */
class ProcessMemoryProtectionTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void childProcessesInheritNoSecretsButJavaStillHasThem() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ProtectedProgram.class.getName());
        builder.environment().put("PROBE_TOKEN", "probe-secret-0123456789abcdef");
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(output)
                .contains("protected: true", "length of the secret: 29")
                .containsPattern("(?m)^PATH$")
                .doesNotContain("PROBE_TOKEN");
        assertThat(process.waitFor()).isZero();
    }

    /** Protects itself, and starts a program without an explicit environment that prints the names of its variables. */
    static final class ProtectedProgram {
        private ProtectedProgram() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            System.out.println("protected: " + ProcessMemoryProtection.start().join());
            System.out.println(
                    "length of the secret: " + System.getenv("PROBE_TOKEN").length());
            ProcessBuilder names = new ProcessBuilder("sh", "-c", "env | sed 's/=.*//'");
            System.exit(names.inheritIO().start().waitFor());
        }
    }
}
