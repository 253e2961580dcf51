package dev.gavel.bench.mcp;

import dev.gavel.bench.Workbench;
import dev.gavel.bench.reliability.Gavel;
import java.io.IOException;

/**
 * What it costs the server that many calls wait for somebody's approval at once, each on a connection of its own: memory in
 * use after a collection, and memory taken of the machine. In the end all are approved, and every client gets its result.
 */
final class WaitingMemory {
    private static final int WARM_UP = 500;
    private static final double KIB = 1024;

    private final int calls;
    private final Table table;

    WaitingMemory(int calls, Table table) {
        this.calls = calls;
        this.table = table;
    }

    /** What the server takes at a moment. */
    private record Memory(long heap, long resident) {
        static Memory of(Gavel gavel) throws IOException, InterruptedException {
            long heap = gavel.heap();
            return new Memory(heap, gavel.resident());
        }
    }

    void run(Workbench workbench) throws IOException, InterruptedException {
        table.head("calls that wait", "heap in use for each, KiB", "resident for each, KiB", "heap in use after all, to before");
        Stage stage = Stage.open(workbench, workbench.directory().resolve("waiting"));
        try (Reviewer reviewer = stage.reviewer()) {
            Crowd.comeAndGo(stage, reviewer, Math.min(calls, WARM_UP));
            Memory before = Memory.of(stage.gavel());
            try (Crowd crowd = new Crowd(stage, calls)) {
                crowd.gather(reviewer);
                Memory during = Memory.of(stage.gavel());
                crowd.release(reviewer);
                Memory after = Memory.of(stage.gavel());
                table.row(
                        Table.number(calls, 0),
                        "**" + Table.number((during.heap() - before.heap()) / KIB / calls, 1) + "**",
                        Table.number((during.resident() - before.resident()) / KIB / calls, 1),
                        Table.number((double) after.heap() / before.heap(), 2));
            }
        } finally {
            stage.gavel().stop();
        }
    }
}
