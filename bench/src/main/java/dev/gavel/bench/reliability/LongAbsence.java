package dev.gavel.bench.reliability;

import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Somebody was away for fifty thousand events and reads slowly, or pauses, while more goes on: they are told of
 * everything, in order, and not dropped.
 */
final class LongAbsence implements Trial {
    private static final int EVENTS = 50_000;
    private static final int PROPOSERS = 4;
    private static final int SLOW_BYTES_PER_SECOND = 200 * 1024;
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String TOPIC = "ops";

    @Override
    public String name() {
        return "absent";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(8);
    }

    /** Somebody who came back, and the ids of what they heard, in order. */
    private static final class Returned {
        final String how;
        final List<String> ids = new ArrayList<>();
        final AtomicLong bytes = new AtomicLong();
        volatile String last = "";
        final Client client;

        Returned(String how, Gavel gavel, String name, boolean socket) throws IOException {
            this.how = how;
            this.client = socket
                    ? Client.webSocket(
                            gavel.address(), "/ws?topic=" + TOPIC + "&since=0", Setting.token(name), this::hear)
                    : gavel.stream(name, TOPIC, "?since=0", this::hear);
        }

        private void hear(Heard heard) {
            bytes.addAndGet(heard.text().length());
            if (heard.kind().startsWith("mcp")) {
                synchronized (ids) {
                    ids.add(heard.id());
                }
                last = heard.id();
            }
        }

        List<String> heard() {
            synchronized (ids) {
                return List.copyOf(ids);
            }
        }
    }

    @Override
    public void run(Workbench workbench, Findings findings) throws Exception {
        Setting setting = new Setting().topic(TOPIC, "").reviewer(TOPIC, "r").proposer(TOPIC, "live");
        for (int i = 0; i < PROPOSERS; i++) {
            setting.proposer(TOPIC, "p" + i);
        }
        for (String name : List.of("quick", "slow-socket", "slow-stream", "pausing-socket", "pausing-stream")) {
            setting.watcher(TOPIC, name);
        }
        Gavel gavel = new Gavel(workbench, "absent", setting);
        gavel.start();
        makeHistory(gavel);
        long heap = gavel.heap();
        long resident = gavel.resident();

        List<Returned> returned = new ArrayList<>();
        Returned quick = new Returned("a quick socket", gavel, "quick", true);
        returned.add(quick);
        Live live = new Live(gavel);
        try {
            for (String how : List.of("slow", "pausing")) {
                returned.add(new Returned("a " + how + " socket", gavel, how + "-socket", true));
                returned.add(new Returned("a " + how + " event stream", gavel, how + "-stream", false));
            }
            for (Returned each : returned) {
                if (each.how.contains("slow")) {
                    each.client.reading().bytesPerSecond(SLOW_BYTES_PER_SECOND);
                } else if (each.how.contains("pausing")) {
                    each.client.reading().stop();
                }
            }
            Thread.sleep(PAUSE);
            returned.stream()
                    .filter(each -> each.how.contains("pausing"))
                    .forEach(each -> each.client.reading().goOn());
            findings.bytes("heap in use meanwhile, more than before", gavel.heap() - heap);
            findings.bytes("resident memory meanwhile, more than before", gavel.resident() - resident);
            Patience.until(
                    LONG,
                    () -> returned.stream().allMatch(each -> each.heard().size() >= EVENTS || !each.client.isOpen()));
            String last = live.end();
            Patience.until(
                    LONG, () -> returned.stream().allMatch(each -> each.last.equals(last) || !each.client.isOpen()));
            check(gavel, returned, live, findings);
        } finally {
            live.close();
            for (Returned each : returned) {
                each.client.close();
            }
        }
    }

    private static void check(Gavel gavel, List<Returned> returned, Live live, Findings findings) throws Exception {
        List<String> kept = gavel.export().stream()
                .map(Logged::envelope)
                .filter(id -> !id.isEmpty())
                .toList();
        findings.figure(
                "kept in the end, of these made meanwhile",
                Findings.number(kept.size()) + ", " + Findings.number(live.made()));
        for (Returned each : returned) {
            List<String> heard = inOrderOnce(each.heard());
            findings.holds(
                    each.how + " heard everything in order, and was not dropped",
                    heard.equals(kept) && each.client.isOpen(),
                    Findings.number(heard.size()) + " envelopes, " + Findings.size(each.bytes.get())
                            + (each.client.isOpen() ? "" : ", ended with " + each.client.endedWith()));
        }
    }

    /** Replay and live may overlap: the first time counts. */
    private static List<String> inOrderOnce(List<String> ids) {
        Set<String> seen = new HashSet<>();
        return ids.stream().filter(seen::add).toList();
    }

    private static void makeHistory(Gavel gavel) throws IOException, InterruptedException {
        Set<String> echoed = ConcurrentHashMap.newKeySet();
        List<Client> proposers = new ArrayList<>();
        try (Client reviewer = gavel.join("r", TOPIC, heard -> {})) {
            for (int i = 0; i < PROPOSERS; i++) {
                String name = "p" + i;
                proposers.add(gavel.join(name, TOPIC, heard -> {
                    if (heard.field("from").equals(name)) {
                        echoed.add(heard.id());
                    }
                }));
            }
            int sent = 0;
            for (int n = 0; sent < EVENTS; n++) {
                for (int i = 0; i < PROPOSERS; i++) {
                    String id = "p" + i + "-" + n;
                    proposers.get(i).send(Letters.propose(id, 3600, 150));
                    proposers.get(i).send(Letters.withdraw("w-" + id, id));
                    sent += 2;
                }
                if (n % 200 == 0) {
                    int soFar = sent;
                    Patience.need("the history is echoed", LONG, () -> echoed.size() == soFar);
                }
            }
            int all = sent;
            Patience.need("the history is echoed", LONG, () -> echoed.size() == all);
            if (!reviewer.isOpen()) {
                throw gavel.explain("the reviewer was disconnected");
            }
        } finally {
            for (Client proposer : proposers) {
                proposer.close();
            }
        }
    }

    /** What goes on meanwhile: some twenty proposals a second. */
    private static final class Live implements AutoCloseable {
        private final Client client;
        private final Set<String> echoed = ConcurrentHashMap.newKeySet();
        private final Thread thread;
        private final AtomicInteger made = new AtomicInteger();
        private volatile boolean over;

        Live(Gavel gavel) throws IOException, InterruptedException {
            client = gavel.join("live", TOPIC, heard -> {
                if (heard.field("from").equals("live")) {
                    echoed.add(heard.id());
                }
            });
            thread = Thread.ofVirtual().start(this::goOn);
        }

        private void goOn() {
            try {
                while (!over) {
                    client.send(Letters.propose("live-" + made.getAndIncrement(), 3600, 150));
                    Thread.sleep(50);
                }
            } catch (IOException _) {
                // The check will find that it is missing.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        /** The id of the last one made. */
        String end() throws InterruptedException {
            over = true;
            thread.join();
            Patience.need("the last one is echoed", LONG, () -> echoed.size() == made.get());
            return "live-" + (made.get() - 1);
        }

        int made() {
            return made.get();
        }

        @Override
        public void close() throws IOException {
            over = true;
            client.close();
        }
    }
}
