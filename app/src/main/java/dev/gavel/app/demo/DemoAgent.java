package dev.gavel.app.demo;

import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The demo's scripted agent, an ordinary MCP client: it reads sample files and calls tools that need approval. It does
 * not know that its calls become proposals. Runs on one thread; closing it from another thread ends it.
 */
public final class DemoAgent implements Runnable, AutoCloseable {
    private static final Duration BRIDGE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(30);

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
                    "Also, payroll.csv was not opened for a year, so I call delete_file for it.",
                    "delete_file",
                    SampleFiles.arguments("path", SampleFiles.PAYROLL)));

    private final DemoMcpClient mcpClient;
    private final Consumer<String> out;
    private final Duration pause;
    private volatile boolean closed;

    private record ScriptedCall(String words, String tool, Json arguments) {}

    /**
     * Creates an agent; {@link #run} starts it.
     *
     * @param url the MCP endpoint of the topic
     * @param out receives its messages, line by line
     * @param pause the pause after each call
     */
    public DemoAgent(URI url, String token, Consumer<String> out, Duration pause) {
        this.mcpClient = new DemoMcpClient(url, token);
        this.out = out;
        this.pause = pause;
    }

    /** Runs the script once. */
    @Override
    public void run() {
        try {
            mcpClient.connect();
            awaitTools();
            out.accept("I look at the files. I can call list_files and read_file without approval.");
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
            out.accept("I am done. The server keeps running: try 'gavel topic watch' or connect your own MCP client.");
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
        out.accept("I get this result: \"" + text + "\"" + reaction);
    }

    /** Prints progress messages, at most one per interval. */
    private final class ProgressPrinter implements Consumer<String> {
        private long last = System.nanoTime() - PROGRESS_INTERVAL.toNanos();

        @Override
        public void accept(String message) {
            if (System.nanoTime() - last >= PROGRESS_INTERVAL.toNanos()) {
                last = System.nanoTime();
                out.accept("    ... " + simplify(message));
            }
        }
    }

    /** Rewords a message for a user who has read nothing and may not have opened the link yet. */
    private static String simplify(String message) {
        return message.startsWith("waiting for ") && message.contains("(not connected)")
                ? "waiting for you: open the link above"
                : message;
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
