package dev.gavel.app.demo;

import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The demo's scripted agent, an ordinary MCP client: it reads sample files and calls tools that need approval. It does
 * not know that its calls become proposals. Runs on one thread; closing it from another thread ends it.
 */
public final class DemoAgent implements Runnable, AutoCloseable {
    private static final Duration BRIDGE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    /** A message that repeats the last one is printed again only after this time. */
    private static final Duration REPEAT_INTERVAL = Duration.ofMinutes(4);

    /** The calls to make, each with its reason. */
    private static final List<ScriptedCall> SCRIPT = List.of(
            new ScriptedCall(
                    "todo.txt says that old drafts can be deleted, so I call delete_file for drafts/plan-2019.txt.",
                    "delete_file",
                    SampleFiles.arguments("path", SampleFiles.OLD_DRAFT)),
            new ScriptedCall(
                    "Next, I call write_file to log the cleanup.",
                    "write_file",
                    SampleFiles.arguments("path", "notes/log.txt", "text", "The drafts were cleaned up.\n")),
            new ScriptedCall(
                    "Also, payroll.csv has not been opened for a year, so I call delete_file for it.",
                    "delete_file",
                    SampleFiles.arguments("path", SampleFiles.PAYROLL)));

    private final DemoMcpClient mcpClient;
    private final Consumer<String> out;
    private final Duration pause;
    private final Supplier<Optional<URI>> signInLink;
    private final String watchCommand;
    private volatile boolean closed;

    private record ScriptedCall(String words, String tool, Json arguments) {}

    /**
     * Creates an agent; {@link #run} starts it.
     *
     * @param url the MCP endpoint of the topic
     * @param out receives its messages, line by line
     * @param pause the pause after each call
     * @param signInLink creates a link that signs the user in to the console
     * @param watchCommand the command that shows the topic's messages
     */
    public DemoAgent(
            URI url,
            String token,
            Consumer<String> out,
            Duration pause,
            Supplier<Optional<URI>> signInLink,
            String watchCommand) {
        this.mcpClient = new DemoMcpClient(url, token);
        this.out = out;
        this.pause = pause;
        this.signInLink = signInLink;
        this.watchCommand = watchCommand;
    }

    /** Runs the script once. */
    @Override
    public void run() {
        try {
            mcpClient.connect();
            awaitTools();
            out.accept("I'm looking at the files. I can call list_files and read_file without approval.");
            text(mcpClient.call("list_files", Json.object(), _ -> {}))
                    .lines()
                    .forEach(line -> out.accept("    " + line));
            text(mcpClient.call("read_file", SampleFiles.arguments("path", SampleFiles.TODO), _ -> {}))
                    .lines()
                    .forEach(line -> out.accept("    todo.txt: " + line));
            for (ScriptedCall scriptedCall : SCRIPT) {
                callTool(scriptedCall);
                Thread.sleep(pause);
            }
            out.accept("I am done. The server keeps running. Connect your own MCP client, or watch the topic: "
                    + watchCommand);
        } catch (IOException e) {
            if (!closed) {
                out.accept("I give up: " + e.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the tools: the bridge and its server start in the background. */
    private void awaitTools() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + BRIDGE_TIMEOUT.toNanos();
        while (!mcpClient.tools().contains("delete_file")) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(
                        "the sample MCP server did not start within " + BRIDGE_TIMEOUT.toSeconds() + " s");
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    private void callTool(ScriptedCall scriptedCall) throws IOException, InterruptedException {
        out.accept(scriptedCall.words());
        Json result = mcpClient.call(scriptedCall.tool(), scriptedCall.arguments(), new ProgressPrinter());
        String text = text(result).strip().replace("\n", " ");
        // A real agent would read the text; the state in _meta is for programs.
        String reaction = switch (result.at("_meta").at("dev.gavel/state").text()) {
            case "rejected" -> " You rejected the call, so I continue without it.";
            case "expired" -> " No reviewer decided in time.";
            case "withdrawn" -> " The proposal was withdrawn.";
            default -> result.at("isError").isTrue() ? " The call failed." : " Thank you.";
        };
        out.accept("Result: \"" + text + "\"" + reaction);
    }

    /** Prints progress messages that say something new, and repeats the last one after some time. */
    private final class ProgressPrinter implements Consumer<String> {
        private String lastWords = "";
        private long lastAt;

        @Override
        public void accept(String message) {
            boolean absent = message.startsWith("waiting for ") && message.contains("(not connected)");
            // A message ends with the remaining time, which changes every time.
            String words = absent ? "absent" : message.replaceAll("\\d+", "");
            if (!words.equals(lastWords) || System.nanoTime() - lastAt >= REPEAT_INTERVAL.toNanos()) {
                lastWords = words;
                lastAt = System.nanoTime();
                out.accept("    ... " + (absent ? invitation() : message));
            }
        }
    }

    /** Invites a user who may not have opened the console yet. */
    private String invitation() {
        return "waiting for you"
                + signInLink.get().map(link -> ": open " + link).orElse("");
    }

    private static String text(Json result) {
        return result.at("content").elements().stream()
                .map(part -> part.at("text").text())
                .filter(part -> !part.isEmpty())
                .findFirst()
                .orElse(result.raw());
    }

    @Override
    public void close() {
        closed = true;
        mcpClient.close();
    }
}
