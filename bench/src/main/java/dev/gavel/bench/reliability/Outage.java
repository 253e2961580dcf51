package dev.gavel.bench.reliability;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What is promised for as long as the ledger cannot be written, whatever the reason: senders are told so and when to
 * try again, everything that needs no ledger goes on, and afterwards the same can be sent under the same ids.
 */
final class Outage implements AutoCloseable {
    private static final String TOPIC = "ops";
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int BEFORE = 200;
    private static final int MEANWHILE = 50;

    private final Gavel gavel;
    private final Findings findings;
    private final BlockingQueue<Heard> proposerHears = new LinkedBlockingQueue<>();
    private final BlockingQueue<Heard> watcherHears = new LinkedBlockingQueue<>();
    private final Client proposer;
    private final Client watcher;

    Outage(Gavel gavel, Findings findings) throws IOException, InterruptedException {
        this.gavel = gavel;
        this.findings = findings;
        this.proposer = gavel.join("p", TOPIC, proposerHears::add);
        this.watcher = gavel.join("watcher", TOPIC, watcherHears::add);
    }

    static Setting setting() {
        return new Setting()
                .topic(TOPIC, "")
                .proposer(TOPIC, "p")
                .reviewer(TOPIC, "r")
                .watcher(TOPIC, "watcher");
    }

    /** What is done while all is well. */
    void before() throws IOException, InterruptedException {
        for (int i = 0; i < BEFORE; i++) {
            proposer.send(Letters.propose("before-" + i, 3600, 500));
        }
        var _ = await(proposerHears, heard -> heard.id().equals("before-" + (BEFORE - 1)));
        findings.holds("ready before", gavel.ready() == 200, gavel.ready());
    }

    /** What is done while the ledger is away. */
    void meanwhile() throws IOException, InterruptedException {
        proposer.send(Letters.propose("during-0", 3600, 500));
        Heard refused = await(proposerHears, heard -> heard.about().equals("during-0"));
        findings.holds(
                "a proposal is refused as unavailable, with a time to try again",
                refused.error().equals("unavailable") && refused.number("retryAfterMs") > 0,
                refused.error() + ", retryAfterMs " + refused.number("retryAfterMs"));
        findings.holds("/health/ready meanwhile", gavel.ready() == 503, gavel.ready());
        for (int i = 1; i < MEANWHILE; i++) {
            proposer.send(Letters.propose("during-" + i, 3600, 500));
        }
        int unavailable = 0;
        for (int i = 1; i < MEANWHILE; i++) {
            String id = "during-" + i;
            Heard answer = await(
                    proposerHears,
                    heard -> heard.about().equals(id) || heard.id().equals(id));
            unavailable += answer.error().equals("unavailable") ? 1 : 0;
        }
        findings.count("so are all that follow", MEANWHILE - 1, unavailable);
        proposer.send(Letters.chat("chat-1"));
        findings.holds(
                "chat goes on",
                !await(watcherHears, heard -> heard.id().equals("chat-1"))
                        .text()
                        .isEmpty(),
                "delivered");
        HttpResponse<String> listed = gavel.get("p", "/topics/" + TOPIC + "/proposals?limit=5");
        findings.holds("proposals can be read", listed.statusCode() == 200, listed.statusCode());
    }

    /** What is done when the ledger is back. */
    void afterwards() throws IOException, InterruptedException {
        boolean ready = Patience.until(SOON, () -> gavel.ready() == 200);
        findings.holds("/health/ready afterwards, with nothing sent", ready, gavel.ready());
        proposerHears.clear();
        for (int i = 0; i < MEANWHILE; i++) {
            proposer.send(Letters.propose("during-" + i, 3600, 500));
        }
        int echoed = 0;
        for (int i = 0; i < MEANWHILE; i++) {
            String id = "during-" + i;
            Heard answer = await(
                    proposerHears,
                    heard -> heard.about().equals(id) || heard.id().equals(id));
            echoed += answer.id().equals(id) ? 1 : 0;
        }
        findings.count("the same ids, sent again, are echoed", MEANWHILE, echoed);
        List<Logged> events = gavel.export();
        Map<String, Long> proposed = events.stream()
                .filter(event -> event.type().equals("proposed"))
                .collect(Collectors.groupingBy(Logged::envelope, Collectors.counting()));
        findings.count("proposals in the ledger", BEFORE + MEANWHILE, proposed.size());
        findings.count(
                "of these twice",
                0,
                proposed.values().stream().filter(count -> count > 1).count());
        findings.count("events up to the last seq", events.getLast().seq(), events.size());
        findings.holds("the file is sound", gavel.isSound(), "PRAGMA integrity_check");
        findings.holds("nobody was disconnected", proposer.isOpen() && watcher.isOpen(), "open");
    }

    private Heard await(BlockingQueue<Heard> queue, Predicate<Heard> wanted) throws InterruptedException {
        while (true) {
            Heard heard = queue.poll(SOON.toMillis(), TimeUnit.MILLISECONDS);
            if (heard == null) {
                throw gavel.explain("an answer did not come within " + SOON.toSeconds() + " s");
            }
            if (wanted.test(heard)) {
                return heard;
            }
        }
    }

    @Override
    public void close() throws IOException {
        proposer.close();
        watcher.close();
    }
}
