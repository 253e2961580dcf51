package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a permitted call takes, one at a time: to the tiny server itself over a pipe and over HTTP, and through Gavel,
 * which reaches it over a pipe and over HTTP. The four take turns in short rounds, so that the machine's moods fall on all.
 */
final class CallTimes {
    private static final int CALLS_A_ROUND = 100;
    private static final double MICROS = 1e3;

    private final int rounds;
    private final Table table;

    CallTimes(int rounds, Table table) {
        this.rounds = rounds;
        this.table = table;
    }

    /** One way to the tool, and what was measured of it. */
    private static final class Way {
        final String name;
        final Caller caller;
        final String tool;
        final Samples all = new Samples();
        final List<Long> medians = new ArrayList<>();
        long id = 10;

        Way(String name, Caller caller, String tool) {
            this.name = name;
            this.caller = caller;
            this.tool = tool;
        }

        Samples round(int calls) throws IOException {
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

        void measure() throws IOException {
            Samples round = round(CALLS_A_ROUND);
            all.addAll(round);
            medians.add(round.median());
        }

        /** What its median is above another's, in the middle of all rounds. */
        long above(Way other) {
            Samples differences = new Samples();
            for (int i = 0; i < medians.size(); i++) {
                differences.add(medians.get(i) - other.medians.get(i));
            }
            return differences.median();
        }
    }

    void run(Workbench workbench) throws IOException, InterruptedException {
        Stage stage = Stage.open(workbench, workbench.directory().resolve("calls"));
        try (Caller pipe = PipeCaller.start(Stage.tiny("stdio", Stage.PIPE_TOOL));
                Caller http = HttpCaller.begin(stage.web(), "/mcp", "none");
                Caller gavel = stage.join("caller")) {
            Way byPipe = new Way("the server itself, over a pipe", pipe, Stage.PIPE_TOOL);
            Way byHttp = new Way("the server itself, over HTTP", http, Stage.HTTP_TOOL);
            Way gavelPipe = new Way("through Gavel, bridged over a pipe", gavel, Stage.PIPE_TOOL);
            Way gavelHttp = new Way("through Gavel, bridged over HTTP", gavel, Stage.HTTP_TOOL);
            List<Way> ways = List.of(byPipe, byHttp, gavelPipe, gavelHttp);
            for (int i = 0; i < rounds; i++) {
                for (Way way : ways) {
                    way.round(CALLS_A_ROUND);
                }
            }
            for (int i = 0; i < rounds; i++) {
                for (Way way : ways) {
                    way.measure();
                }
            }
            report(ways, byPipe, byHttp);
        } finally {
            stage.gavel().stop();
        }
    }

    private void report(List<Way> ways, Way byPipe, Way byHttp) {
        table.head("a call, one at a time", "p50, µs", "p90, µs", "p99, µs", "p50 above direct HTTP, µs", "above direct pipe, µs", "ratio to direct HTTP");
        for (Way way : ways) {
            table.row(
                    way.name,
                    micros(way.all.median()),
                    micros(way.all.percentile(90)),
                    micros(way.all.percentile(99)),
                    "**" + micros(way.above(byHttp)) + "**",
                    micros(way.above(byPipe)),
                    Table.number((double) way.all.median() / byHttp.all.median(), 1));
        }
    }

    private static String micros(long nanos) {
        return Table.number(nanos / MICROS, 0);
    }
}
