package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One way to a tool, and how long calls took on it. Used by one thread. */
final class Way {
    private final String name;
    private final Caller caller;
    private final String tool;
    private final Samples all = new Samples();
    private final List<Long> medians = new ArrayList<>();
    private long id = 10;

    Way(String name, Caller caller, String tool) {
        this.name = name;
        this.caller = caller;
        this.tool = tool;
    }

    String name() {
        return name;
    }

    /** Every call that was measured. */
    Samples all() {
        return all;
    }

    /** Calls so many times, one after the other. */
    Samples call(int calls) throws IOException {
        Samples samples = new Samples();
        for (int i = 0; i < calls; i++) {
            String request = Rpc.call(id++, tool);
            long start = System.nanoTime();
            String answer = caller.ask(request);
            samples.add(System.nanoTime() - start);
            if (!Rpc.isDone(answer)) {
                throw new LoadFailure("a call failed, " + name + ": " + answer);
            }
        }
        return samples;
    }

    /** Calls so many times, and keeps how long that took. */
    void measure(int calls) throws IOException {
        Samples round = call(calls);
        all.addAll(round);
        medians.add(round.median());
    }

    /** How far its median is above another's, in the middle of all rounds. */
    long above(Way other) {
        Samples differences = new Samples();
        for (int i = 0; i < medians.size(); i++) {
            differences.add(medians.get(i) - other.medians.get(i));
        }
        return differences.median();
    }
}
