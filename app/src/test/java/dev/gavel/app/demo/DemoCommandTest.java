package dev.gavel.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.interop.GavelProcessCommand;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests starting and ending {@code gavel demo} in a separate process. */
final class DemoCommandTest {
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);
    private static final Pattern LINK = Pattern.compile("open +((http://[^/]+)/sign-in\\?(code=\\S+))");
    private static final Pattern APPROVE =
            Pattern.compile("name=\"csrf\" value=\"([^\"]+)\".*?href=\"([^\"]+/approve)\"", Pattern.DOTALL);

    private final List<String> outputLines = new CopyOnWriteArrayList<>();

    private Matcher line(Pattern pattern) {
        return Awaitility.await()
                .atMost(STARTS_WITHIN)
                .until(
                        () -> outputLines.stream()
                                .map(pattern::matcher)
                                .filter(Matcher::find)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static HttpResponse<String> send(HttpClient client, String url, String cookie, String form)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).header("Cookie", cookie);
        return client.send(
                form.isEmpty()
                        ? request.build()
                        : request.POST(HttpRequest.BodyPublishers.ofString(form))
                                .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void whoFollowsTheLinkDecidesAndEndingItLeavesNothingBehind(@TempDir Path directory) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(GavelProcessCommand.command("demo", "--listen", "127.0.0.1:0"));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + directory);
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        Thread reader = Thread.ofVirtual()
                .start(() -> process.inputReader(UTF_8).lines().forEach(outputLines::add));
        try (HttpClient client = HttpClient.newHttpClient()) {
            Matcher link = line(LINK);
            assertThat(send(client, link.group(1), "", "").statusCode()).isEqualTo(200);
            HttpResponse<String> in = send(client, link.group(2) + "/sign-in", "", link.group(3));
            assertThat(in.statusCode()).isEqualTo(303);
            String cookie = in.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");

            line(Pattern.compile("waiting for you: open http\\S+/sign-in\\?code="));
            Matcher form = APPROVE.matcher(
                    send(client, link.group(2) + "/", cookie, "").body());
            assertThat(form.find()).isTrue();
            assertThat(send(client, link.group(2) + form.group(2), cookie, "confirm=yes&to=files&csrf=" + form.group(1))
                            .statusCode())
                    .isEqualTo(303);
            line(Pattern.compile("^agent: Result: .*plan-2019.*Thank you\\.$"));

            List<ProcessHandle> children = process.descendants().toList();
            assertThat(children).isNotEmpty();
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            reader.join();
            assertThat(process.exitValue()).isZero();
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            try (var left = Files.list(directory)) {
                assertThat(left.map(Path::getFileName).map(Path::toString)).noneMatch(name -> name.startsWith("gavel"));
            }
            assertThat(outputLines).noneMatch(words -> words.contains("give up"));
        } finally {
            process.destroyForcibly();
        }
    }
}
