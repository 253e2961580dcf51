package dev.gavel.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code gavel serve} in a separate process, without a configuration. */
class ServeProcessTest {
    @TempDir
    private Path directory;

    private Process process;
    private BufferedReader out;
    private int port;

    @BeforeEach
    void start() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        "dev.gavel.app.Main",
                        "serve",
                        "--listen",
                        "127.0.0.1:0")
                .directory(directory.toFile())
                .redirectError(directory.resolve("stderr").toFile())
                .start();
        out = process.inputReader(UTF_8);
        String line = out.readLine();
        assertThat(line).as(Files.readString(directory.resolve("stderr"))).startsWith("listening on http://127.0.0.1:");
        port = URI.create(line.substring("listening on ".length())).getPort();
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
    }

    private TestSocket join(String identity) throws IOException {
        String token =
                Files.readString(directory.resolve(".gavel/tokens/" + identity)).strip();
        TestSocket socket = new TestSocket(
                new Socket(InetAddress.getLoopbackAddress(), port), "/ws?topic=main", "Authorization: Bearer " + token);
        assertThat(socket.envelope().path("kind").asString()).isEqualTo("system.welcome");
        return socket;
    }

    @Test
    void itIsUsefulAtOnceWithTheTokensItMade() throws IOException {
        try (TestSocket you = join("you");
                TestSocket agent = join("agent")) {
            agent.send(
                    "{\"protocol\":\"mcpx/v0.1\",\"id\":\"m-1\",\"kind\":\"chat.message\",\"payload\":{\"text\":\"a\"}}");
            assertThat(you.envelope("chat.message").path("from").asString()).isEqualTo("agent");
            agent.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"m-2\",\"kind\":\"mcp.request.tools/list\",\"payload\":"
                    + "{\"method\":\"tools/list\"}}");
            assertThat(agent.envelope("system.error")
                            .path("payload")
                            .path("error")
                            .asString())
                    .isEqualTo("capability_violation");
        }
    }

    @Test
    void itSaysWhereMcpClientsConnect() throws IOException {
        assertThat(out.readLine()).startsWith("console: ");
        assertThat(out.readLine())
                .isEqualTo("MCP:        http://127.0.0.1:" + port
                        + "/mcp/main with the header 'Authorization: Bearer TOKEN'");
    }

    @Test
    void theTokensAreReadableByTheirOwnerAlone() throws IOException {
        for (String identity : new String[] {"you", "agent"}) {
            Path file = directory.resolve(".gavel/tokens/" + identity);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                    .isEqualTo("rwx------");
        }
        assertThat(Files.readString(directory.resolve("stderr"))).doesNotContain("gvl_");
    }

    @Test
    void toldToStopItSendsEverybodyElsewhereAndEndsWell() throws Exception {
        try (TestSocket you = join("you")) {
            process.destroy();
            assertThat(you.closeCode()).isEqualTo(1012);
        }
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(directory.resolve("stderr"))).isEmpty();
    }
}
