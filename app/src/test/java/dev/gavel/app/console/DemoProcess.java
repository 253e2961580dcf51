package dev.gavel.app.console;

import dev.gavel.app.interop.GavelProcessCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@code gavel demo} in a separate process, as a user starts it. */
final class DemoProcess implements AutoCloseable {
    private static final Pattern LINK = Pattern.compile("open +((http://[^/]+)/sign-in\\?code=\\S+)");

    private final Process process;
    private final String link;
    private final String url;

    /**
     * Starts the demo.
     *
     * @param data the demo's directory
     */
    DemoProcess(Path data) throws IOException {
        process = new ProcessBuilder(
                        GavelProcessCommand.command("demo", "--listen", "127.0.0.1:0", "--data", data.toString()))
                .redirectErrorStream(true)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        Matcher found = output.lines()
                .map(LINK::matcher)
                .filter(Matcher::find)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the demo ended before it said where it is"));
        link = found.group(1);
        url = found.group(2);
        // Discards the remaining output; otherwise the demo would block once the pipe is full.
        Thread.ofVirtual().start(() -> output.lines().forEach(line -> {}));
    }

    /** The one-time sign-in link. */
    String link() {
        return link;
    }

    String url(String path) {
        return url + path;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
