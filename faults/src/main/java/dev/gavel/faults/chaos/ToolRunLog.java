package dev.gavel.faults.chaos;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What was really run, taken down by those who run it, when they do. Thread-safe. */
final class ToolRunLog {
    private final Queue<Run> all = new ConcurrentLinkedQueue<>();

    /**
     * One run.
     *
     * @param request the envelope that asked for it
     * @param path what it was run with
     */
    record Run(String proposal, String request, String server, String path) {}

    void add(Run run) {
        all.add(run);
    }

    List<Run> all() {
        return List.copyOf(all);
    }
}
