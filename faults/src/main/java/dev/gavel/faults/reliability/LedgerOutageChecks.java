package dev.gavel.faults.reliability;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.bench.server.LedgerExportLine;
import dev.gavel.bench.server.SingleGatewayProcess;
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

/** Checks what clients observe before, during and after an outage in which the gateway cannot write to the ledger. */
final class LedgerOutageChecks implements AutoCloseable {
    private static final String TOPIC = "ops";
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int BEFORE_COUNT = 200;
    private static final int DURING_COUNT = 50;

    private final SingleGatewayProcess singleGatewayProcess;
    private final TrialReport trialReport;
    private final BlockingQueue<ReceivedEnvelope> proposerQueue = new LinkedBlockingQueue<>();
    private final BlockingQueue<ReceivedEnvelope> watcherQueue = new LinkedBlockingQueue<>();
    private final RawSocketClient proposer;
    private final RawSocketClient watcher;

    LedgerOutageChecks(SingleGatewayProcess singleGatewayProcess, TrialReport trialReport)
            throws IOException, InterruptedException {
        this.singleGatewayProcess = singleGatewayProcess;
        this.trialReport = trialReport;
        this.proposer = singleGatewayProcess.join("p", TOPIC, proposerQueue::add);
        this.watcher = singleGatewayProcess.join("watcher", TOPIC, watcherQueue::add);
    }

    static GavelConfigBuilder config() {
        return new GavelConfigBuilder()
                .topic(TOPIC, "")
                .proposer(TOPIC, "p")
                .reviewer(TOPIC, "r")
                .watcher(TOPIC, "watcher");
    }

    /** Checks the operation before the outage. */
    void checkBefore() throws IOException, InterruptedException {
        for (int i = 0; i < BEFORE_COUNT; i++) {
            proposer.send(EnvelopeTemplates.proposal("before-" + i, 3600, 500));
        }
        var _ = await(proposerQueue, receivedEnvelope -> receivedEnvelope.id().equals("before-" + (BEFORE_COUNT - 1)));
        trialReport.check(
                "/health/ready before the outage",
                singleGatewayProcess.readyStatus() == 200,
                singleGatewayProcess.readyStatus());
    }

    /** Checks the operation while the ledger is unavailable. */
    void checkDuring() throws IOException, InterruptedException {
        proposer.send(EnvelopeTemplates.proposal("during-0", 3600, 500));
        ReceivedEnvelope refused = await(
                proposerQueue,
                receivedEnvelope -> receivedEnvelope.correlationId().equals("during-0"));
        trialReport.check(
                "a proposal is refused with unavailable and a time to retry",
                refused.errorCode().equals("unavailable") && refused.numberField("retryAfterMs") > 0,
                refused.errorCode() + ", retryAfterMs " + refused.numberField("retryAfterMs"));
        trialReport.check(
                "/health/ready during the outage",
                singleGatewayProcess.readyStatus() == 503,
                singleGatewayProcess.readyStatus());
        for (int i = 1; i < DURING_COUNT; i++) {
            proposer.send(EnvelopeTemplates.proposal("during-" + i, 3600, 500));
        }
        int unavailable = 0;
        for (int i = 1; i < DURING_COUNT; i++) {
            String id = "during-" + i;
            ReceivedEnvelope answer = await(
                    proposerQueue,
                    receivedEnvelope -> receivedEnvelope.correlationId().equals(id)
                            || receivedEnvelope.id().equals(id));
            unavailable += answer.errorCode().equals("unavailable") ? 1 : 0;
        }
        trialReport.checkCount("later proposals refused with unavailable", DURING_COUNT - 1, unavailable);
        proposer.send(EnvelopeTemplates.chatMessage("chat-1"));
        trialReport.check(
                "chat continues",
                !await(watcherQueue, receivedEnvelope -> receivedEnvelope.id().equals("chat-1"))
                        .text()
                        .isEmpty(),
                "delivered");
        HttpResponse<String> listed = singleGatewayProcess.httpGet("p", "/topics/" + TOPIC + "/proposals?limit=5");
        trialReport.check("proposals can be read", listed.statusCode() == 200, listed.statusCode());
    }

    /** Checks the operation when the ledger is available again. */
    void checkAfter() throws IOException, InterruptedException {
        boolean ready = ConditionWaiter.waitUntil(SOON, () -> singleGatewayProcess.readyStatus() == 200);
        trialReport.check(
                "/health/ready after the outage, although nothing was sent", ready, singleGatewayProcess.readyStatus());
        proposerQueue.clear();
        for (int i = 0; i < DURING_COUNT; i++) {
            proposer.send(EnvelopeTemplates.proposal("during-" + i, 3600, 500));
        }
        int echoed = 0;
        for (int i = 0; i < DURING_COUNT; i++) {
            String id = "during-" + i;
            ReceivedEnvelope answer = await(
                    proposerQueue,
                    receivedEnvelope -> receivedEnvelope.correlationId().equals(id)
                            || receivedEnvelope.id().equals(id));
            echoed += answer.id().equals(id) ? 1 : 0;
        }
        trialReport.checkCount("proposals sent again under the same ids and echoed", DURING_COUNT, echoed);
        List<LedgerExportLine> events = singleGatewayProcess.exportLedger();
        Map<String, Long> proposed = events.stream()
                .filter(event -> event.type().equals("proposed"))
                .collect(Collectors.groupingBy(LedgerExportLine::envelope, Collectors.counting()));
        trialReport.checkCount("proposals in the ledger", BEFORE_COUNT + DURING_COUNT, proposed.size());
        trialReport.checkCount(
                "proposals in the ledger twice",
                0,
                proposed.values().stream().filter(count -> count > 1).count());
        trialReport.checkCount(
                "events up to the last sequence number", events.getLast().seq(), events.size());
        trialReport.check(
                "the database file is intact", singleGatewayProcess.isLedgerIntact(), "PRAGMA integrity_check");
        trialReport.check("no client was disconnected", proposer.isOpen() && watcher.isOpen(), "open");
    }

    private ReceivedEnvelope await(BlockingQueue<ReceivedEnvelope> queue, Predicate<ReceivedEnvelope> wanted)
            throws InterruptedException {
        while (true) {
            ReceivedEnvelope receivedEnvelope = queue.poll(SOON.toMillis(), TimeUnit.MILLISECONDS);
            if (receivedEnvelope == null) {
                throw singleGatewayProcess.failure("no answer within " + SOON.toSeconds() + " s");
            }
            if (wanted.test(receivedEnvelope)) {
                return receivedEnvelope;
            }
        }
    }

    @Override
    public void close() throws IOException {
        proposer.close();
        watcher.close();
    }
}
