package dev.gavel.bench.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.Samples;
import dev.gavel.bench.Workbench;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class McpFiguresTest {
    private static final Duration START = Duration.ofSeconds(30);

    @Test
    void theWaysWithoutGavelAreMeasuredAndPrintedARowEach() throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Workbench workbench = Workbench.open();
                Caller pipe = PipeCaller.start(Stage.tiny("stdio", "x"));
                Caller http = begin(workbench, "http");
                Caller relay = begin(workbench, "relay")) {
            new CallTimes(1, new Table(new PrintStream(bytes, true, UTF_8)))
                    .compare(
                            new Way("http", http, "x"),
                            new Way("pipe", pipe, "x"),
                            new Way("relay", relay, "x"),
                            List.of(new Way("relay again", relay, "x")));
        }
        assertThat(bytes.toString(UTF_8).strip().lines())
                .hasSize(6)
                .allMatch(line -> line.matches("(\\|[^|]+){7}\\|"))
                .element(5)
                .asString()
                .startsWith("| relay again | ");
    }

    private static HttpCaller begin(Workbench workbench, String kind) throws IOException, InterruptedException {
        return HttpCaller.begin(
                workbench.start(kind, Stage.tiny(kind, "x"), Map.of()).address(START), "/mcp", "none");
    }

    @Test
    void everyMessageOfAnAnswerInPiecesIsHandedOverAsItComes() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HttpCaller caller = HttpCaller.connect(
                        new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), "/mcp", "none", "s");
                Socket client = server.accept()) {
            String answer = """
                    HTTP/1.1 200 OK
                    Transfer-Encoding: chunked

                    1b
                    id: r0_0|data: ||data: {"a"
                    10
                    :1}||:||data: {}
                    2
                    ||
                    0

                    """;
            // A bar is an end of line within the body, where it is one character.
            client.getOutputStream()
                    .write(answer.replace("\n", "\r\n").replace('|', '\n').getBytes(UTF_8));
            List<String> heard = new ArrayList<>();
            caller.post("{}", heard::add);
            assertThat(heard).containsExactly("{\"a\":1}", "{}");
        }
    }

    @Test
    void percentilesAreThoseOfTheNearestRank() {
        Samples samples = new Samples();
        for (int i = 2000; i > 0; i--) {
            samples.add(i);
        }
        assertThat(samples.median()).isEqualTo(1000);
        assertThat(samples.percentile(99)).isEqualTo(1980);
        assertThat(new Samples().median()).isZero();
    }

    @Test
    void optionsAreRead() {
        assertThat(McpOptions.parse()).isEqualTo(new McpOptions(McpOptions.PARTS, 60, 600, 10_000));
        assertThat(McpOptions.parse("--quick", "--only", "waiting", "--waiting", "20"))
                .isEqualTo(new McpOptions(List.of("waiting"), 10, 50, 20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fast", "--only", "--only all", "--rounds 0", "--approvals many", "--waiting 20000"})
    void optionsThatMakeNoSenseAreRefused(String line) {
        assertThatThrownBy(() -> McpOptions.parse(line.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(unknown option )?--[a-z]+.*");
    }
}
