package dev.gavel.bench.reliability;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Five thousand connections that only answer pings: what they cost, and whether proposals still get through. */
final class IdleConnections implements Trial {
    private static final int TOPICS = 50;
    private static final int IDENTITIES = 100;
    private static final int FLOWS = 200;
    /** Longer than it takes to be pinged twice. */
    private static final long IDLE_MILLIS = 45_000;

    private static final Pattern FILES = Pattern.compile("Max open files\\s+\\S+\\s+(\\d+)");

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(5);
    }

    @Override
    public void run(Workbench workbench, Findings findings) throws Exception {
        int wanted = TOPICS * IDENTITIES;
        if (mostFiles() < wanted + 500) {
            throw new LoadFailure("this user may open " + mostFiles() + " files at once, and " + wanted
                    + " connections need more: raise the hard limit (ulimit -Hn) and run it again");
        }
        Gavel gavel = new Gavel(workbench, "idle", setting());
        gavel.start();
        List<Client> idle = new ArrayList<>();
        try (Flow flow = new Flow(gavel, "t0")) {
            long few = flow.median(FLOWS);
            few = Math.min(few, flow.median(FLOWS));
            long resident = gavel.resident();
            long heap = gavel.heap();
            connect(gavel, idle);
            long residentThen = gavel.resident();
            findings.bytes("heap in use for a connection", (gavel.heap() - heap) / wanted);
            findings.bytes("resident memory for a connection", (residentThen - resident) / wanted);
            long many = flow.median(FLOWS);
            many = Math.min(many, flow.median(FLOWS));
            findings.ratio(
                    "time of a proposal from its making to its outcome, to that without them", (double) many / few);
            Thread.sleep(IDLE_MILLIS);
            findings.count(
                    "connections open after " + IDLE_MILLIS / 1000 + " s of idling",
                    wanted,
                    idle.stream().filter(Client::isOpen).count());
            findings.holds("proposals flow", flow.median(FLOWS) > 0, Findings.number(flow.made()) + " made");
        } finally {
            for (Client client : idle) {
                client.close();
            }
        }
        Flow again = new Flow(gavel, "t1");
        again.one();
        again.close();
        findings.holds("proposals flow when they have all gone at once", gavel.isAlive(), "yes");
    }

    private static Setting setting() {
        Setting setting = new Setting();
        for (int t = 0; t < TOPICS; t++) {
            setting.topic("t" + t, "");
            for (int i = 0; i < IDENTITIES; i++) {
                setting.watcher("t" + t, "idle" + i);
            }
        }
        Flow.cast(setting, "t0");
        Flow.cast(setting, "t1");
        return setting;
    }

    private static void connect(Gavel gavel, List<Client> idle) throws IOException, InterruptedException {
        for (int t = 0; t < TOPICS; t++) {
            for (int i = 0; i < IDENTITIES; i++) {
                idle.add(gavel.join("idle" + i, "t" + t, heard -> {}));
            }
        }
    }

    private static long mostFiles() throws IOException {
        Path limits = Path.of("/proc/self/limits");
        if (!Files.isReadable(limits)) {
            return Long.MAX_VALUE;
        }
        Matcher matcher = FILES.matcher(Files.readString(limits));
        return matcher.find() ? Long.parseLong(matcher.group(1)) : Long.MAX_VALUE;
    }
}
