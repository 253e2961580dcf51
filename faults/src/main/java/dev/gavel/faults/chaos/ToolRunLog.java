package dev.gavel.faults.chaos;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Records every tool run that a participant performs in a chaos test. Thread-safe. */
final class ToolRunLog {
    private final Queue<Run> all = new ConcurrentLinkedQueue<>();

    /**
     * One run.
     *
     * @param request the id of the envelope that requested it
     * @param path its argument
     */
    record Run(String proposal, String request, String server, String path) {}

    void add(Run run) {
        all.add(run);
    }

    List<Run> all() {
        return List.copyOf(all);
    }
}
