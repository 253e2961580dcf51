package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests {@code gavel review} at a real pseudo-terminal. */
class ReviewTerminalTest extends CommandTestBase {
    private static final String ENTERS = "\u001b[?1049h";
    private static final String LEAVES = "\u001b[?1049l";
    private static final String NO_WRAPPING = "\u001b[?7l";
    private static final String WRAPPING = "\u001b[?7h";

    private Process review(Path screen) throws IOException {
        return review(screen, "false");
    }

    private Process review(Path screen, String editor) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path options = Files.writeString(
                directory.resolve("java.options"),
                "--enable-native-access=ALL-UNNAMED\n-cp\n"
                        + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        Path shell = Files.writeString(
                directory.resolve("session.sh"),
                // The interrupt also reaches the shell, which must continue: it is not under test.
                "trap : INT\nstty -g\n" + java + " @" + options
                        + " dev.gavel.app.Main review ops\necho \"exit $?\"\nstty -g\n");
        // Programs inherit ignored signals, and a background job of a shell ignores interrupts.
        ProcessBuilder builder = new ProcessBuilder(
                        "env", "--default-signal=INT", "script", "-qfec", "/bin/sh " + shell, "/dev/null")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(screen.toFile());
        builder.environment().put("GAVEL_URL", url());
        builder.environment().put("GAVEL_TOKEN", "alice" + TestServer.SECRET);
        builder.environment().put("NO_COLOR", "1");
        builder.environment().put("VISUAL", editor);
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.start();
    }

    private static void sees(Path screen, String text) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(Files.readString(screen, UTF_8)).contains(text));
    }

    private static void type(OutputStream keys, String text) throws IOException {
        keys.write(text.getBytes(UTF_8));
        keys.flush();
    }

    @Test
    void aKeyApprovesAndTheTerminalIsLeftAsItWas() throws Exception {
        String id = proposeWrite();
        Path screen = directory.resolve("screen");
        try (TestSocket files = runner("files")) {
            Process review = review(screen);
            try (OutputStream keys = review.getOutputStream()) {
                sees(screen, "c considering");
                type(keys, "a");
                sees(screen, "y approve");
                type(keys, "y");
                assertThat(request(files)).contains(id);
                sees(screen, "No proposals to decide");
                type(keys, "\u0003");
                assertThat(review.waitFor(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                review.destroyForcibly();
            }
        }
        String all = Files.readString(screen, UTF_8).replace("\r", "");
        assertThat(all).contains(ENTERS).contains("approved " + id + ", runs on files");
        assertThat(all).containsOnlyOnce(NO_WRAPPING).containsOnlyOnce(WRAPPING);
        assertThat(all.indexOf(NO_WRAPPING)).isLessThan(all.indexOf("to decide"));
        String after = all.substring(all.lastIndexOf(LEAVES));
        assertThat(after).contains("approved " + id).contains("exit 0\n");
        assertThatSettingsAreAsBefore(screen);
    }

    @Test
    void anInterruptInTheEditorIsForTheEditorAlone() throws Exception {
        proposeWrite();
        Path screen = directory.resolve("screen");
        Path editor = Files.writeString(directory.resolve("editor"), """
                trap 'echo CAUGHT' INT
                echo EDITING
                tries=0
                until read line && [ "$line" = go ]; do
                  tries=$((tries + 1))
                  [ $tries -lt 1000 ] || exit 1
                done
                sed -i s#/tmp/x#/tmp/y# "$1"
                """);
        Process review = review(screen, "/bin/sh " + editor);
        try (OutputStream keys = review.getOutputStream()) {
            sees(screen, "c considering");
            type(keys, "e");
            sees(screen, "EDITING");
            type(keys, "\u0003");
            sees(screen, "CAUGHT");
            type(keys, "go\n");
            sees(screen, "n discard the edit");
            type(keys, "\u0003");
            assertThat(review.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            review.destroyForcibly();
        }
        String all = Files.readString(screen, UTF_8);
        assertThat(all).contains("nothing decided", "exit 0");
        assertThat(all.split("\\Q" + WRAPPING + "\\E", -1))
                .as("lines are wrapped for the editor too")
                .hasSize(3);
    }

    @Test
    void aReviewThatIsToldToEndLeavesTheTerminalAsItWas() throws Exception {
        Path screen = directory.resolve("screen");
        Process review = review(screen);
        try {
            sees(screen, "No proposals to decide");
            review.descendants()
                    .filter(each -> each.info().command().orElse("").endsWith("/java"))
                    .forEach(ProcessHandle::destroy);
            sees(screen, "exit 143");
            assertThat(review.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            review.destroyForcibly();
        }
        assertThat(Files.readString(screen, UTF_8)).contains(LEAVES);
        assertThatSettingsAreAsBefore(screen);
    }

    private static void assertThatSettingsAreAsBefore(Path screen) throws IOException {
        List<String> settings = Files.readString(screen, UTF_8)
                .replace("\r", "")
                .lines()
                .filter(line -> line.matches("[0-9a-f]+(:[0-9a-f]+)+"))
                .toList();
        assertThat(settings).hasSize(2);
        assertThat(settings.getFirst()).isEqualTo(settings.getLast());
    }
}
