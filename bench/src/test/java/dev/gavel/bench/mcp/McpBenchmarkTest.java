package dev.gavel.bench.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.stats.TimeSamples;
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

class McpBenchmarkTest {
    private static final Duration START = Duration.ofSeconds(30);

    @Test
    void theWaysWithoutGavelAreMeasuredAndPrintedARowEach() throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (RunWorkspace runWorkspace = RunWorkspace.open();
                BenchMcpClient pipe = BenchStdioMcpClient.start(McpBenchEnvironment.serverCommand("stdio", "x"));
                BenchMcpClient http = begin(runWorkspace, "http");
                BenchMcpClient relay = begin(runWorkspace, "relay")) {
            new CallLatencyBenchmark(1, new MarkdownTablePrinter(new PrintStream(bytes, true, UTF_8)))
                    .compare(
                            new ToolCallTimer("http", http, "x"),
                            new ToolCallTimer("pipe", pipe, "x"),
                            new ToolCallTimer("relay", relay, "x"),
                            List.of(new ToolCallTimer("relay again", relay, "x")));
        }
        assertThat(bytes.toString(UTF_8).strip().lines())
                .hasSize(6)
                .allMatch(line -> line.matches("(\\|[^|]+){7}\\|"))
                .element(5)
                .asString()
                .startsWith("| relay again | ");
    }

    private static BenchHttpMcpClient begin(RunWorkspace runWorkspace, String kind)
            throws IOException, InterruptedException {
        return BenchHttpMcpClient.openSession(
                runWorkspace
                        .start(kind, McpBenchEnvironment.serverCommand(kind, "x"), Map.of())
                        .awaitAddress(START),
                "/mcp",
                "none");
    }

    @Test
    void everyMessageOfAnAnswerInPiecesIsHandedOverAsItComes() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                BenchHttpMcpClient caller = BenchHttpMcpClient.connect(
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
            // A bar stands for a line end within the body, which is a single character there.
            client.getOutputStream()
                    .write(answer.replace("\n", "\r\n").replace('|', '\n').getBytes(UTF_8));
            List<String> received = new ArrayList<>();
            caller.post("{}", received::add);
            assertThat(received).containsExactly("{\"a\":1}", "{}");
        }
    }

    @Test
    void percentilesAreThoseOfTheNearestRank() {
        TimeSamples samples = new TimeSamples();
        for (int i = 2000; i > 0; i--) {
            samples.add(i);
        }
        assertThat(samples.median()).isEqualTo(1000);
        assertThat(samples.percentile(99)).isEqualTo(1980);
        assertThat(new TimeSamples().median()).isZero();
    }

    @Test
    void optionsAreRead() {
        assertThat(McpBenchmarkOptions.parse())
                .isEqualTo(new McpBenchmarkOptions(McpBenchmarkOptions.PARTS, 60, 600, 10_000));
        assertThat(McpBenchmarkOptions.parse("--quick", "--only", "waiting", "--waiting", "20"))
                .isEqualTo(new McpBenchmarkOptions(List.of("waiting"), 10, 50, 20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fast", "--only", "--only all", "--rounds 0", "--approvals many", "--waiting 20000"})
    void optionsThatMakeNoSenseAreRefused(String line) {
        assertThatThrownBy(() -> McpBenchmarkOptions.parse(line.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(unknown option )?--[a-z]+.*");
    }
}
