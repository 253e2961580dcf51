package dev.gavel.app.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the newest official SDK's client with the Tasks extension, one process per use. */
record TaskSdkClient(String url, String token) {
    private static final int PATIENCE_SECONDS = 60;

    /** Starts a call, and returns the task's reference. */
    Json call(String tool, String arguments) throws IOException, InterruptedException {
        return runAndRead("reference", "call", tool, arguments);
    }

    Json state(Json reference) throws IOException, InterruptedException {
        return runAndRead("state", "state", reference.raw());
    }

    /** Waits for the end of the task. */
    Json awaitOutcome(Json reference) throws IOException, InterruptedException {
        return runAndRead("outcome", "settle", reference.raw());
    }

    Json refused(Json reference) throws IOException, InterruptedException {
        return runAndRead("error", "state", reference.raw());
    }

    private Json runAndRead(String what, String... words) throws IOException, InterruptedException {
        String[] arguments =
                Stream.concat(Stream.of(url, token), Stream.of(words)).toArray(String[]::new);
        Process process = new ProcessBuilder(InteropPrograms.script("task-client.mjs", arguments))
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        Json json = Json.parse(printed.strip()).orElseThrow(() -> new AssertionError(printed));
        assertThat(json.at(what).isPresent()).as(printed).isTrue();
        return json.at(what);
    }
}
