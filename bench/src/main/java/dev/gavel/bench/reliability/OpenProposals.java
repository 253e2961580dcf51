package dev.gavel.bench.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ten thousand open proposals: starting with them, welcoming somebody who could decide them, listing them, the only one
 * who could decide them leaving and coming back, and all of them expiring together.
 */
final class OpenProposals implements Trial {
    private static final int MANY = 10_000;
    private static final int PROPOSERS = 2;
    private static final int STARTS = 5;
    private static final int FLOWS = 100;
    private static final String TOPIC = "many";
    private static final String OTHER = "other";
    private static final Duration TTL = Duration.ofSeconds(100);
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Pattern CURSOR = Pattern.compile("\"cursor\":(\"[^\"]*\")}$");
    private static final Pattern ID = Pattern.compile("\"id\":\"(p\\d-\\d+)\"");

    @Override
    public String name() {
        return "open";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(6);
    }

    /** What proposers are told of their proposals: how often each. */
    private static final class Told {
        final Map<String, Integer> echoed = new ConcurrentHashMap<>();
        final Map<String, Integer> unreachable = new ConcurrentHashMap<>();
        final Map<String, Integer> reachable = new ConcurrentHashMap<>();
        final Map<String, Integer> expired = new ConcurrentHashMap<>();

        void hear(String proposer, Heard heard) {
            if (heard.id().startsWith(proposer + "-")) {
                echoed.merge(heard.id(), 1, Integer::sum);
            } else if (heard.about().startsWith(proposer + "-")) {
                switch (heard.kind()) {
                    case "system.proposal.unreachable" -> unreachable.merge(heard.about(), 1, Integer::sum);
                    case "system.proposal.reachable" -> reachable.merge(heard.about(), 1, Integer::sum);
                    case "system.proposal.expired" -> expired.merge(heard.about(), 1, Integer::sum);
                    default -> {}
                }
            }
        }

        static long more(Collection<Integer> times) {
            return times.stream().filter(count -> count > 1).count();
        }
    }

    @Override
    public void run(Workbench workbench, Findings findings) throws Exception {
        Setting setting = new Setting().topic(TOPIC, "").topic(OTHER, "").reviewer(TOPIC, "r");
        for (int i = 0; i < PROPOSERS; i++) {
            setting.proposer(TOPIC, "p" + i);
        }
        Flow.cast(setting, OTHER);
        Gavel gavel = new Gavel(workbench, "open", setting);
        long emptyStart = starts(gavel);
        long emptyWelcome = welcome(gavel);
        long heap = gavel.heap();

        long expiry = System.nanoTime() + TTL.toNanos();
        propose(gavel, expiry);
        findings.figure("proposed", Findings.number(MANY));
        findings.bytes("heap in use for an open proposal", (gavel.heap() - heap) / MANY);
        gavel.stop();
        findings.ratio("start with them, to an empty start", (double) starts(gavel) / emptyStart);
        findings.bytes("heap in use for an open proposal after a start", (gavel.heap() - heap) / MANY);
        findings.ratio(
                "welcome of one who could decide them, to one where nothing is open",
                (double) welcome(gavel) / emptyWelcome);
        list(gavel, findings);

        Told told = new Told();
        try (Client p0 = gavel.join("p0", TOPIC, heard -> told.hear("p0", heard));
                Client p1 = gavel.join("p1", TOPIC, heard -> told.hear("p1", heard));
                Flow flow = new Flow(gavel, OTHER)) {
            flow.median(FLOWS);
            long quiet = flow.median(FLOWS);
            comeAndGo(gavel, told, findings);
            expire(gavel, told, flow, quiet, expiry, findings);
            findings.holds("nobody was disconnected", p0.isOpen() && p1.isOpen(), "open");
        }
        findings.bytes("resident memory in the end", gavel.resident());
    }

    /** Starts several times and leaves it running; the median. */
    private static long starts(Gavel gavel) throws InterruptedException {
        long[] nanos = new long[STARTS];
        for (int i = 0; i < STARTS; i++) {
            nanos[i] = gavel.start();
            if (i < STARTS - 1) {
                gavel.stop();
            }
        }
        Arrays.sort(nanos);
        return nanos[STARTS / 2];
    }

    /** From connecting to the welcome, the median of several. */
    private static long welcome(Gavel gavel) throws IOException, InterruptedException {
        long[] nanos = new long[21];
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            gavel.join("r", TOPIC, heard -> {}).close();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }

    /** Proposes them so that all expire at one moment. */
    private static void propose(Gavel gavel, long expiry) throws IOException, InterruptedException {
        Told told = new Told();
        try (Client reviewer = gavel.join("r", TOPIC, heard -> {});
                Client p0 = gavel.join("p0", TOPIC, heard -> told.hear("p0", heard));
                Client p1 = gavel.join("p1", TOPIC, heard -> told.hear("p1", heard))) {
            int sent = 0;
            while (sent < MANY) {
                // Not more than a connection may have under way.
                for (int i = 0; i < 500; i++, sent += PROPOSERS) {
                    double ttl = (expiry - System.nanoTime()) / 1e9;
                    p0.send(Letters.propose("p0-" + sent, ttl, 200));
                    p1.send(Letters.propose("p1-" + sent, ttl, 200));
                }
                int soFar = sent;
                Patience.need("what was proposed is echoed", LONG, () -> told.echoed.size() == soFar);
            }
            if (!reviewer.isOpen()) {
                throw gavel.explain("the reviewer was disconnected");
            }
        }
    }

    private static void list(Gavel gavel, Findings findings) throws IOException, InterruptedException {
        Set<String> listed = new HashSet<>();
        long start = System.nanoTime();
        long first = 0;
        int pages = 0;
        String cursor = "";
        do {
            String body = gavel.get("r", "/topics/" + TOPIC + "/proposals?state=open&limit=500" + cursor)
                    .body();
            pages++;
            first = first == 0 ? System.nanoTime() - start : first;
            Matcher ids = ID.matcher(body);
            while (ids.find()) {
                listed.add(ids.group(1));
            }
            Matcher next = CURSOR.matcher(body);
            cursor = next.find()
                    ? "&cursor="
                            + URLEncoder.encode(
                                    next.group(1).substring(1, next.group(1).length() - 1), UTF_8)
                    : "";
        } while (!cursor.isEmpty());
        findings.count("listed, in " + pages + " pages", MANY, listed.size());
        findings.ratio("a page on average, to the first", (double) (System.nanoTime() - start) / pages / first);
    }

    private static void comeAndGo(Gavel gavel, Told told, Findings findings) throws IOException, InterruptedException {
        // Nobody who could decide them is here, or has been for long enough.
        Client reviewer = gavel.join("r", TOPIC, heard -> {});
        Patience.until(Duration.ofSeconds(5), () -> told.reachable.size() == MANY);
        told.unreachable.clear();
        told.reachable.clear();
        reviewer.close();
        Patience.until(LONG, () -> told.unreachable.size() == MANY);
        findings.count("told unreachable when the reviewer left", MANY, told.unreachable.size());
        Client again = gavel.join("r", TOPIC, heard -> {});
        Patience.until(LONG, () -> told.reachable.size() == MANY);
        findings.count("told reachable when they came back", MANY, told.reachable.size());
        findings.count(
                "told either twice", 0, Told.more(told.unreachable.values()) + Told.more(told.reachable.values()));
        again.close();
    }

    private static void expire(Gavel gavel, Told told, Flow flow, long quiet, long expiry, Findings findings)
            throws IOException, InterruptedException {
        try (Client reviewer = gavel.join("r", TOPIC, heard -> {})) {
            findings.holds("all were still open before their time", told.expired.isEmpty(), told.expired.size());
            Patience.until(Duration.ofNanos(Math.max(0, expiry - System.nanoTime())), () -> !told.expired.isEmpty());
            int through = 0;
            long slowest = 0;
            long sum = 0;
            long end = System.nanoTime() + LONG.toNanos();
            while (told.expired.size() < MANY && System.nanoTime() < end) {
                long took = flow.one();
                slowest = Math.max(slowest, took);
                sum += took;
                through++;
            }
            findings.count("told of their expiry", MANY, told.expired.size());
            findings.count("told twice", 0, Told.more(told.expired.values()));
            findings.holds("proposals in another topic got through while these expired", through > 0, through + " did");
            findings.ratio("time of these, to that before", (double) sum / Math.max(1, through) / quiet);
            findings.ratio("the slowest of these, to the median before", (double) slowest / quiet);
            findings.holds("the reviewer was not disconnected", reviewer.isOpen(), "open");
        }
    }
}
