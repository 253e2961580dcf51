package dev.gavel.bench.mcp;

import dev.gavel.bench.Workbench;
import dev.gavel.bench.reliability.Gavel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What it costs the server that many calls wait for somebody's approval at once: memory in use after a collection, and memory
 * taken of the machine. In the end all are approved, and every result is read.
 */
final class WaitingMemory {
    private static final int WARM_UP = 500;
    private static final double KIB = 1024;
    private static final double MIB = KIB * 1024;

    private final int calls;
    private final boolean allWays;
    private final Table table;

    /**
     * Ready to measure.
     *
     * @param allWays whether in all ways of waiting, or in the first alone
     */
    WaitingMemory(int calls, boolean allWays, Table table) {
        this.calls = calls;
        this.allWays = allWays;
        this.table = table;
    }

    /** What the server takes at a moment. */
    private record Memory(long heap, long resident) {
        static Memory of(Gavel gavel) throws IOException, InterruptedException {
            long heap = gavel.heap();
            return new Memory(heap, gavel.resident());
        }
    }

    /** One way to wait, and what it took. */
    private record Measured(String name, Stage stage, Memory before, Memory during) {}

    /** Has calls come that wait in one way. */
    @FunctionalInterface
    private interface Way {
        Waiting of(Stage stage, int size) throws IOException;
    }

    /** Measures, prints, and says how many bytes of heap a call took that waits on a connection of its own. */
    long run(Workbench workbench) throws IOException, InterruptedException {
        List<Measured> all = new ArrayList<>();
        all.add(measure(
                workbench,
                "sessions",
                "on a connection each, MCP " + Rpc.VERSION,
                (stage, size) -> new Crowd(stage, size, true)));
        if (allWays) {
            all.add(measure(
                    workbench,
                    "stateless",
                    "on a connection each, MCP " + Rpc.STATELESS,
                    (stage, size) -> new Crowd(stage, size, false)));
            all.add(measure(workbench, "tasks", "as tasks, MCP " + Rpc.STATELESS, TaskCrowd::new));
        }
        table.head(
                Table.number(calls, 0) + " calls that wait",
                "heap in use for each, KiB",
                "resident for each, KiB",
                "heap in use before, MiB",
                "after all have ended, MiB");
        for (Measured each : all) {
            // By now nothing is kept any more for clients that might have been cut off.
            table.row(
                    each.name(),
                    "**" + Table.number((each.during().heap() - each.before().heap()) / KIB / calls, 1) + "**",
                    Table.number((each.during().resident() - each.before().resident()) / KIB / calls, 1),
                    Table.number(each.before().heap() / MIB, 0),
                    Table.number(each.stage().gavel().heap() / MIB, 0));
            each.stage().gavel().stop();
        }
        Measured first = all.getFirst();
        return (first.during().heap() - first.before().heap()) / calls;
    }

    private Measured measure(Workbench workbench, String data, String name, Way way)
            throws IOException, InterruptedException {

        Stage stage = Stage.open(workbench, workbench.directory().resolve(data));
        try (Reviewer reviewer = stage.reviewer()) {
            try (Waiting warmUp = way.of(stage, Math.min(calls, WARM_UP))) {
                warmUp.gather(reviewer);
                warmUp.release(reviewer);
            }
            Memory before = Memory.of(stage.gavel());
            try (Waiting waiting = way.of(stage, calls)) {
                waiting.gather(reviewer);
                Memory during = Memory.of(stage.gavel());
                waiting.release(reviewer);
                return new Measured(name, stage, before, during);
            }
        }
    }
}
