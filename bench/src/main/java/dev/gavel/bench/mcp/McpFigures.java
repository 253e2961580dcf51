package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Measures what MCP costs through Gavel, and prints it in Markdown; see {@code bench/mcp --help}. */
public final class McpFigures {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private McpFigures() {}

    /** Runs all parts, or the one that is named. */
    public static void main(String[] args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.print(McpOptions.USAGE);
            return;
        }
        int code;
        try {
            McpOptions options = McpOptions.parse(args);
            endAfter(LIMIT);
            // Beside the sources, so that the ledger is on a disk as a user's would be.
            run(options, Path.of("bench", "target"), System.out);
            code = 0;
        } catch (IllegalArgumentException e) {
            System.err.println("mcp: " + e.getMessage() + "; --help says more");
            code = 2;
        } catch (LoadFailure | IOException e) {
            System.err.println("mcp: " + e.getMessage());
            code = 1;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    /** A run that hangs is of no use to anybody, least of all in a script. */
    private static void endAfter(Duration limit) {
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                Thread.sleep(limit);
                System.err.println("mcp: not done after " + limit.toSeconds() + " s, so something hangs");
                System.exit(1);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Measures what is wanted, with everything it needs for it in a directory below another. */
    static void run(McpOptions options, Path below, PrintStream out) throws IOException, InterruptedException {
        Table table = new Table(out);
        table.say(Runtime.getRuntime().availableProcessors() + " cores; JDK " + Runtime.version() + "; "
                + System.getProperty("os.name") + " " + System.getProperty("os.version"));
        for (String part : options.parts()) {
            try (Workbench workbench = Workbench.open(below)) {
                switch (part) {
                    case "calls" -> {
                        var _ = new CallTimes(options.rounds(), table).run(workbench);
                    }
                    case "approvals" -> {
                        var _ = new ApprovalTimes(options.approvals(), true, table).run(workbench);
                    }
                    default -> {
                        var _ = new WaitingMemory(options.waiting(), true, table).run(workbench);
                    }
                }
            }
        }
    }
}
