package dev.gavel.bench.suite;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.reliability.Client;
import dev.gavel.bench.reliability.Gavel;
import dev.gavel.bench.reliability.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What Gavel takes of the machine's memory at rest, and for a connection that does nothing. Used by one thread. */
final class MemoryPart implements Part {
    private static final int TOPICS = 50;
    private static final int IDENTITIES = 100;
    /** So many come and go first: by then what the JVM takes for its compilers has been taken. */
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
    public Duration limit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        if (!Files.isReadable(Path.of("/proc/self/status"))) {
            throw new LoadFailure("this system does not say what is resident");
        }
        Gavel resting = gavel(workbench, "rest", 1, 2);
        Thread.sleep(REST_MILLIS);
        sheet.figure("resident at rest", resting.resident() / MB, " MB", Target.atMost(150), "");
        resting.stop();
        Gavel crowded = gavel(workbench, "crowd", TOPICS, IDENTITIES);
        List<Client> clients = new ArrayList<>();
        try {
            for (int i = 0; i < WARM_UP; i += AT_ONCE) {
                connect(crowded, AT_ONCE, clients);
                close(clients);
            }
            Thread.sleep(REST_MILLIS / 2);
            long before = crowded.resident();
            int count = TOPICS * IDENTITIES;
            connect(crowded, count, clients);
            Thread.sleep(REST_MILLIS / 2);
            long after = crowded.resident();
            sheet.figure(
                    "resident for an idle connection, of " + count,
                    (after - before) / KB / count,
                    " KB",
                    Target.atMost(10),
                    String.format(Locale.ROOT, "%.0f MB, before %.0f MB", after / MB, before / MB));
        } finally {
            close(clients);
        }
        crowded.stop();
    }

    private static Gavel gavel(Workbench workbench, String name, int topics, int identities)
            throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder("limits: {rate: 1000000/s, connections: 20000}\nidentities:\n");
        for (int i = 0; i < identities; i++) {
            text.append("  i%d: {token: \"%s\"}\n".formatted(i, Setting.token("i" + i)));
        }
        text.append("topics:\n");
        for (int topic = 0; topic < topics; topic++) {
            text.append("  t%d:\n    participants:\n".formatted(topic));
            for (int i = 0; i < identities; i++) {
                text.append("      i%d: [\"chat.*\"]\n".formatted(i));
            }
        }
        Gavel gavel = new Gavel(
                workbench, name, text.toString(), workbench.directory().resolve(name), "");
        gavel.start();
        return gavel;
    }

    private static void connect(Gavel gavel, int count, List<Client> clients) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            clients.add(gavel.join("i" + i / TOPICS, "t" + i % TOPICS, heard -> {}));
        }
    }

    private static void close(List<Client> clients) throws IOException {
        for (Client client : clients) {
            client.close();
        }
        clients.clear();
    }
}
