package dev.gavel.bench.mcp;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.stats.TimeSamples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Calls one tool repeatedly through one MCP client and records how long each call takes. Used by one thread. */
final class ToolCallTimer {
    private final String name;
    private final BenchMcpClient benchMcpClient;
    private final String tool;
    private final TimeSamples samples = new TimeSamples();
    private final List<Long> roundMedians = new ArrayList<>();
    private long id = 10;

    ToolCallTimer(String name, BenchMcpClient benchMcpClient, String tool) {
        this.name = name;
        this.benchMcpClient = benchMcpClient;
        this.tool = tool;
    }

    String name() {
        return name;
    }

    /** The times of all measured calls. */
    TimeSamples samples() {
        return samples;
    }

    /** Makes this many calls, one after the other. */
    TimeSamples call(int calls) throws IOException {
        TimeSamples samples = new TimeSamples();
        for (int i = 0; i < calls; i++) {
            String request = BenchRpcMessages.call(id++, tool);
            long start = System.nanoTime();
            String answer = benchMcpClient.request(request);
            samples.add(System.nanoTime() - start);
            if (!BenchRpcMessages.isSuccessfulResult(answer)) {
                throw new RunFailedException("a call failed (" + name + "): " + answer);
            }
        }
        return samples;
    }

    /** Makes this many calls and records their times. */
    void measure(int calls) throws IOException {
        TimeSamples round = call(calls);
        samples.addAll(round);
        roundMedians.add(round.median());
    }

    /** The median over all rounds of the difference between its median and another's. */
    long medianDifference(ToolCallTimer other) {
        TimeSamples differences = new TimeSamples();
        for (int i = 0; i < roundMedians.size(); i++) {
            differences.add(roundMedians.get(i) - other.roundMedians.get(i));
        }
        return differences.median();
    }
}
