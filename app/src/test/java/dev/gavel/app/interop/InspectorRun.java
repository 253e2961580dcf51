package dev.gavel.app.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of one run of the MCP Inspector: exit code and output.
 *
 * @param exit the exit code; 0 means success
 * @param out the standard output
 */
record InspectorRun(int exit, String out, String err) {
    /** Runs the Inspector with a command, which it starts. */
    static InspectorRun over(List<String> command, String... request) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of(request));
        return run(words);
    }

    /** Runs the Inspector with a URL and a bearer token. */
    static InspectorRun over(String url, String token, String... request) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(url, "--transport", "http"));
        words.addAll(List.of("--header", "Authorization: Bearer " + token));
        words.addAll(List.of(request));
        return run(words);
    }

    private static InspectorRun run(List<String> words) throws IOException, InterruptedException {
        // The machine may be busy: the default timeout of 15 s is meant for interactive use.
        words.addAll(List.of("--connect-timeout", "60000"));
        Path errors = Files.createTempFile("inspector", ".stderr");
        try {
            ProcessBuilder builder = new ProcessBuilder(InteropPrograms.inspector(words.toArray(String[]::new)))
                    .redirectError(errors.toFile());
            // Otherwise it would look for servers in the user's home directory.
            builder.environment()
                    .put(
                            "MCP_CATALOG_PATH",
                            errors.resolveSibling("no-catalog.json").toString());
            Process process = builder.start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new InspectorRun(process.waitFor(), out, Files.readString(errors));
        } finally {
            Files.delete(errors);
        }
    }

    /** The result that it printed. */
    Json result() {
        return Json.parse(out.strip()).orElseThrow(() -> new AssertionError("ended with " + exit + ": " + out + err));
    }
}
