package dev.gavel.bench.suite;

import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Suite part that measures the server's resident memory at rest and for each idle connection. Used by one thread. */
final class MemoryPart implements SuitePart {
    private static final int TOPICS = 50;
    private static final int IDENTITIES = 100;
    /** This many connections are opened and closed first: by then the JVM has allocated the memory of its compilers. */
    private static final int WARM_UP = 4_000;

    private static final int AT_ONCE = 50;

    private static final long REST_MILLIS = 5_000;
    private static final double KB = 1e3;
    private static final double MB = 1e6;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws IOException, InterruptedException {
        if (!Files.isReadable(Path.of("/proc/self/status"))) {
            throw new RunFailedException("this system does not report resident memory: /proc/self/status is missing");
        }
        SingleGatewayProcess resting = gavel(runWorkspace, "rest", 1, 2);
        Thread.sleep(REST_MILLIS);
        suiteResults.addFigure(
                "resident memory when idle", resting.residentBytes() / MB, " MB", FigureTarget.atMost(150), "");
        resting.stop();
        SingleGatewayProcess crowded = gavel(runWorkspace, "crowd", TOPICS, IDENTITIES);
        List<RawSocketClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < WARM_UP; i += AT_ONCE) {
                connect(crowded, AT_ONCE, clients);
                close(clients);
            }
            Thread.sleep(REST_MILLIS / 2);
            long before = crowded.residentBytes();
            int count = TOPICS * IDENTITIES;
            connect(crowded, count, clients);
            Thread.sleep(REST_MILLIS / 2);
            long after = crowded.residentBytes();
            suiteResults.addFigure(
                    "resident memory per idle connection, with " + count + " connections",
                    (after - before) / KB / count,
                    " KB",
                    FigureTarget.atMost(10),
                    String.format(Locale.ROOT, "%.0f MB; without connections: %.0f MB", after / MB, before / MB));
        } finally {
            close(clients);
        }
        crowded.stop();
    }

    private static SingleGatewayProcess gavel(RunWorkspace runWorkspace, String name, int topics, int identities)
            throws IOException, InterruptedException {
        StringBuilder text =
                new StringBuilder("limits: {ask: off, bytes: off, rate: 1000000/s, connections: 20000}\nidentities:\n");
        for (int i = 0; i < identities; i++) {
            text.append("  i%d: {token: \"%s\"}\n".formatted(i, GavelConfigBuilder.token("i" + i)));
        }
        text.append("topics:\n");
        for (int topic = 0; topic < topics; topic++) {
            text.append("  t%d:\n    participants:\n".formatted(topic));
            for (int i = 0; i < identities; i++) {
                text.append("      i%d: [\"chat.*\"]\n".formatted(i));
            }
        }
        SingleGatewayProcess singleGatewayProcess = new SingleGatewayProcess(
                runWorkspace, name, text.toString(), runWorkspace.directory().resolve(name), "");
        singleGatewayProcess.start();
        return singleGatewayProcess;
    }

    private static void connect(SingleGatewayProcess singleGatewayProcess, int count, List<RawSocketClient> clients)
            throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            clients.add(singleGatewayProcess.join("i" + i / TOPICS, "t" + i % TOPICS, receivedEnvelope -> {}));
        }
    }

    private static void close(List<RawSocketClient> clients) throws IOException {
        for (RawSocketClient client : clients) {
            client.close();
        }
        clients.clear();
    }
}
