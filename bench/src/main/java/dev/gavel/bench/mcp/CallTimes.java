package dev.gavel.bench.mcp;

import dev.gavel.bench.ServerProcess;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How long a permitted call takes, one at a time: to the tiny server itself over a pipe and over HTTP, through a process that
 * does nothing but pass it on, and through Gavel, which reaches the server over a pipe and over HTTP. They take turns in short
 * rounds, so that the machine's moods fall on all.
 */
final class CallTimes {
    private static final int CALLS_A_ROUND = 100;
    private static final Duration START = Duration.ofSeconds(30);
    private static final double MICROS = 1e3;

    private final int rounds;
    private final Table table;

    CallTimes(int rounds, Table table) {
        this.rounds = rounds;
        this.table = table;
    }

    /** Measures, prints, and says what came out. */
    McpSummary.Calls run(Workbench workbench) throws IOException, InterruptedException {
        Stage stage = Stage.open(workbench, workbench.directory().resolve("calls"));
        ServerProcess relay = workbench.start("relay", Stage.tiny("relay", Stage.PIPE_TOOL), Map.of());
        try (Caller pipe = PipeCaller.start(Stage.tiny("stdio", Stage.PIPE_TOOL));
                Caller http = HttpCaller.begin(stage.web(), "/mcp", "none");
                Caller relayed = HttpCaller.begin(relay.address(START), "/mcp", "none");
                Caller gavel = stage.join("caller")) {
            Way direct = new Way("the server itself, over HTTP", http, Stage.HTTP_TOOL);
            Way piped = new Way("through Gavel, which has a pipe", gavel, Stage.PIPE_TOOL);
            Way overHttp = new Way("through Gavel, which uses HTTP", gavel, Stage.HTTP_TOOL);
            compare(
                    direct,
                    new Way("the server itself, over a pipe", pipe, Stage.PIPE_TOOL),
                    new Way("through a relay that does nothing, which has a pipe", relayed, Stage.PIPE_TOOL),
                    List.of(piped, overHttp));
            return new McpSummary.Calls(direct.all().median(), piped.above(direct), overHttp.above(direct));
        } finally {
            stage.gavel().stop();
        }
    }

    /** Measures some ways beside those without Gavel. */
    void compare(Way http, Way pipe, Way relay, List<Way> others) throws IOException {
        List<Way> ways = new ArrayList<>(List.of(http, pipe, relay));
        ways.addAll(others);
        for (int i = 0; i < rounds; i++) {
            for (Way way : ways) {
                way.call(CALLS_A_ROUND);
            }
        }
        for (int i = 0; i < rounds; i++) {
            for (Way way : ways) {
                way.measure(CALLS_A_ROUND);
            }
        }
        table.head(
                "a permitted call",
                "p50, µs",
                "p90, µs",
                "p99, µs",
                "p50 above direct HTTP, µs",
                "above a direct pipe, µs",
                "p50 to the relay's");
        for (Way way : ways) {
            table.row(
                    way.name(),
                    micros(way.all().median()),
                    micros(way.all().percentile(90)),
                    micros(way.all().percentile(99)),
                    "**" + micros(way.above(http)) + "**",
                    micros(way.above(pipe)),
                    Table.number((double) way.all().median() / relay.all().median(), 1));
        }
    }

    private static String micros(long nanos) {
        return Table.number(nanos / MICROS, 0);
    }
}
