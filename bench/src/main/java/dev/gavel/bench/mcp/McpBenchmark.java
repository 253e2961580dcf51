package dev.gavel.bench.mcp;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.RunWorkspace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Measures the latency and memory of MCP tool calls through Gavel and prints them as Markdown; see {@code bench/mcp
 * --help}.
 */
public final class McpBenchmark {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private McpBenchmark() {}

    /** Runs all parts, or the named one. */
    public static void main(String[] args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.print(McpBenchmarkOptions.USAGE);
            return;
        }
        int code;
        try {
            McpBenchmarkOptions options = McpBenchmarkOptions.parse(args);
            exitAfter(LIMIT);
            // Beside the sources, so that the ledger is on a disk, as a user's is.
            run(options, Path.of("bench", "target"), System.out);
            code = 0;
        } catch (IllegalArgumentException e) {
            System.err.println("mcp: " + e.getMessage() + ". Run bench/mcp --help for help.");
            code = 2;
        } catch (RunFailedException | IOException e) {
            System.err.println("mcp: " + e.getMessage());
            code = 1;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    /** Ends the process after a time limit, because a hanging run is useless, especially in a script. */
    private static void exitAfter(Duration limit) {
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                Thread.sleep(limit);
                System.err.println("mcp: not finished after " + limit.toSeconds() + " s; giving up");
                System.exit(1);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Runs the selected parts, with all files in a temporary directory below {@code below}. */
    static void run(McpBenchmarkOptions options, Path below, PrintStream out) throws IOException, InterruptedException {
        MarkdownTablePrinter markdownTablePrinter = new MarkdownTablePrinter(out);
        markdownTablePrinter.printLine(Runtime.getRuntime().availableProcessors() + " cores; JDK " + Runtime.version()
                + "; " + System.getProperty("os.name") + " " + System.getProperty("os.version"));
        for (String part : options.parts()) {
            try (RunWorkspace runWorkspace = RunWorkspace.open(below)) {
                switch (part) {
                    case "calls" -> {
                        var _ = new CallLatencyBenchmark(options.rounds(), markdownTablePrinter).run(runWorkspace);
                    }
                    case "approvals" -> {
                        var _ = new ApprovalToResultBenchmark(options.approvals(), true, markdownTablePrinter)
                                .run(runWorkspace);
                    }
                    default -> {
                        var _ = new WaitingCallMemoryBenchmark(options.waiting(), true, markdownTablePrinter)
                                .run(runWorkspace);
                    }
                }
            }
        }
    }
}
