package dev.gavel.faults.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.SingleGatewayProcess;
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
 * Trial with ten thousand open proposals: measures server start, connecting and listing, and checks that proposers are
 * notified and proposals expire.
 */
final class ManyOpenProposalsTrial implements ReliabilityTrial {
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
    public Duration timeLimit() {
        return Duration.ofMinutes(6);
    }

    /** How often proposers received each kind of notice about each proposal. */
    private static final class ProposerNotices {
        final Map<String, Integer> echoed = new ConcurrentHashMap<>();
        final Map<String, Integer> unreachable = new ConcurrentHashMap<>();
        final Map<String, Integer> reachable = new ConcurrentHashMap<>();
        final Map<String, Integer> expired = new ConcurrentHashMap<>();

        void onEnvelope(String proposer, ReceivedEnvelope receivedEnvelope) {
            if (receivedEnvelope.id().startsWith(proposer + "-")) {
                echoed.merge(receivedEnvelope.id(), 1, Integer::sum);
            } else if (receivedEnvelope.correlationId().startsWith(proposer + "-")) {
                switch (receivedEnvelope.kind()) {
                    case "system.proposal.unreachable" ->
                        unreachable.merge(receivedEnvelope.correlationId(), 1, Integer::sum);
                    case "system.proposal.reachable" ->
                        reachable.merge(receivedEnvelope.correlationId(), 1, Integer::sum);
                    case "system.proposal.expired" -> expired.merge(receivedEnvelope.correlationId(), 1, Integer::sum);
                    default -> {}
                }
            }
        }

        static long repeatedCount(Collection<Integer> times) {
            return times.stream().filter(count -> count > 1).count();
        }
    }

    @Override
    public void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception {
        GavelConfigBuilder gavelConfigBuilder =
                new GavelConfigBuilder().topic(TOPIC, "").topic(OTHER, "").reviewer(TOPIC, "r");
        for (int i = 0; i < PROPOSERS; i++) {
            gavelConfigBuilder.proposer(TOPIC, "p" + i);
        }
        ProposalRoundTripTimer.addParticipants(gavelConfigBuilder, OTHER);
        SingleGatewayProcess singleGatewayProcess = new SingleGatewayProcess(runWorkspace, "open", gavelConfigBuilder);
        long emptyStart = measureStart(singleGatewayProcess);
        long emptyWelcome = measureWelcome(singleGatewayProcess);
        long heap = singleGatewayProcess.heapBytes();

        long expiry = System.nanoTime() + TTL.toNanos();
        propose(singleGatewayProcess, expiry);
        trialReport.addFigure("proposed", TrialReport.formatNumber(MANY));
        trialReport.addBytes("heap per open proposal", (singleGatewayProcess.heapBytes() - heap) / MANY);
        singleGatewayProcess.stop();
        trialReport.addRatio(
                "start time, ratio to the start with an empty ledger",
                (double) measureStart(singleGatewayProcess) / emptyStart);
        trialReport.addBytes(
                "heap per open proposal after a restart", (singleGatewayProcess.heapBytes() - heap) / MANY);
        trialReport.addRatio(
                "welcome of a reviewer, ratio to a welcome without open proposals",
                (double) measureWelcome(singleGatewayProcess) / emptyWelcome);
        checkListing(singleGatewayProcess, trialReport);

        ProposerNotices proposerNotices = new ProposerNotices();
        try (RawSocketClient p0 = singleGatewayProcess.join(
                        "p0", TOPIC, receivedEnvelope -> proposerNotices.onEnvelope("p0", receivedEnvelope));
                RawSocketClient p1 = singleGatewayProcess.join(
                        "p1", TOPIC, receivedEnvelope -> proposerNotices.onEnvelope("p1", receivedEnvelope));
                ProposalRoundTripTimer proposalRoundTripTimer =
                        new ProposalRoundTripTimer(singleGatewayProcess, OTHER)) {
            proposalRoundTripTimer.medianNanos(FLOWS);
            long idleMedian = proposalRoundTripTimer.medianNanos(FLOWS);
            checkReachability(singleGatewayProcess, proposerNotices, trialReport);
            checkExpiry(singleGatewayProcess, proposerNotices, proposalRoundTripTimer, idleMedian, expiry, trialReport);
            trialReport.check("no client was disconnected", p0.isOpen() && p1.isOpen(), "open");
        }
        trialReport.addBytes("resident memory at the end", singleGatewayProcess.residentBytes());
    }

    /** Starts the server several times and leaves it running; returns the median time. */
    private static long measureStart(SingleGatewayProcess singleGatewayProcess) throws InterruptedException {
        long[] nanos = new long[STARTS];
        for (int i = 0; i < STARTS; i++) {
            nanos[i] = singleGatewayProcess.start();
            if (i < STARTS - 1) {
                singleGatewayProcess.stop();
            }
        }
        Arrays.sort(nanos);
        return nanos[STARTS / 2];
    }

    /** The time from connecting to the welcome, the median of several. */
    private static long measureWelcome(SingleGatewayProcess singleGatewayProcess)
            throws IOException, InterruptedException {
        long[] nanos = new long[21];
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            singleGatewayProcess.join("r", TOPIC, receivedEnvelope -> {}).close();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }

    /** Makes proposals that all expire at the same moment. */
    private static void propose(SingleGatewayProcess singleGatewayProcess, long expiry)
            throws IOException, InterruptedException {
        ProposerNotices proposerNotices = new ProposerNotices();
        try (RawSocketClient reviewer = singleGatewayProcess.join("r", TOPIC, receivedEnvelope -> {});
                RawSocketClient p0 = singleGatewayProcess.join(
                        "p0", TOPIC, receivedEnvelope -> proposerNotices.onEnvelope("p0", receivedEnvelope));
                RawSocketClient p1 = singleGatewayProcess.join(
                        "p1", TOPIC, receivedEnvelope -> proposerNotices.onEnvelope("p1", receivedEnvelope))) {
            int sent = 0;
            while (sent < MANY) {
                // At most as many as one connection may have in progress.
                for (int i = 0; i < 500; i++, sent += PROPOSERS) {
                    double ttl = (expiry - System.nanoTime()) / 1e9;
                    p0.send(EnvelopeTemplates.proposal("p0-" + sent, ttl, 200));
                    p1.send(EnvelopeTemplates.proposal("p1-" + sent, ttl, 200));
                }
                int soFar = sent;
                ConditionWaiter.require(
                        "the proposals to be echoed", LONG, () -> proposerNotices.echoed.size() == soFar);
            }
            if (!reviewer.isOpen()) {
                throw singleGatewayProcess.failure("the reviewer was disconnected");
            }
        }
    }

    private static void checkListing(SingleGatewayProcess singleGatewayProcess, TrialReport trialReport)
            throws IOException, InterruptedException {
        Set<String> listed = new HashSet<>();
        long start = System.nanoTime();
        long first = 0;
        int pages = 0;
        String cursor = "";
        do {
            String body = singleGatewayProcess
                    .httpGet("r", "/topics/" + TOPIC + "/proposals?state=open&limit=500" + cursor)
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
        trialReport.checkCount("proposals listed in " + pages + " pages", MANY, listed.size());
        trialReport.addRatio(
                "average time of a page, ratio to the first page",
                (double) (System.nanoTime() - start) / pages / first);
    }

    private static void checkReachability(
            SingleGatewayProcess singleGatewayProcess, ProposerNotices proposerNotices, TrialReport trialReport)
            throws IOException, InterruptedException {
        // No reviewer has been connected for longer than the grace period.
        RawSocketClient reviewer = singleGatewayProcess.join("r", TOPIC, receivedEnvelope -> {});
        ConditionWaiter.waitUntil(Duration.ofSeconds(5), () -> proposerNotices.reachable.size() == MANY);
        proposerNotices.unreachable.clear();
        proposerNotices.reachable.clear();
        reviewer.close();
        ConditionWaiter.waitUntil(LONG, () -> proposerNotices.unreachable.size() == MANY);
        trialReport.checkCount("notices that the reviewer disconnected", MANY, proposerNotices.unreachable.size());
        RawSocketClient again = singleGatewayProcess.join("r", TOPIC, receivedEnvelope -> {});
        ConditionWaiter.waitUntil(LONG, () -> proposerNotices.reachable.size() == MANY);
        trialReport.checkCount("notices that the reviewer reconnected", MANY, proposerNotices.reachable.size());
        trialReport.checkCount(
                "of these, notices sent twice",
                0,
                ProposerNotices.repeatedCount(proposerNotices.unreachable.values())
                        + ProposerNotices.repeatedCount(proposerNotices.reachable.values()));
        again.close();
    }

    private static void checkExpiry(
            SingleGatewayProcess singleGatewayProcess,
            ProposerNotices proposerNotices,
            ProposalRoundTripTimer proposalRoundTripTimer,
            long idleMedian,
            long expiry,
            TrialReport trialReport)
            throws IOException, InterruptedException {
        try (RawSocketClient reviewer = singleGatewayProcess.join("r", TOPIC, receivedEnvelope -> {})) {
            trialReport.check(
                    "all proposals were open before their expiry",
                    proposerNotices.expired.isEmpty(),
                    proposerNotices.expired.size());
            ConditionWaiter.waitUntil(
                    Duration.ofNanos(Math.max(0, expiry - System.nanoTime())),
                    () -> !proposerNotices.expired.isEmpty());
            int through = 0;
            long slowest = 0;
            long sum = 0;
            long end = System.nanoTime() + LONG.toNanos();
            while (proposerNotices.expired.size() < MANY && System.nanoTime() < end) {
                long took = proposalRoundTripTimer.runOne();
                slowest = Math.max(slowest, took);
                sum += took;
                through++;
            }
            trialReport.checkCount("notices of the expiry", MANY, proposerNotices.expired.size());
            trialReport.checkCount(
                    "of these, notices sent twice", 0, ProposerNotices.repeatedCount(proposerNotices.expired.values()));
            trialReport.check("proposals in another topic completed during the expiry", through > 0, through);
            trialReport.addRatio(
                    "their time, ratio to the time before", (double) sum / Math.max(1, through) / idleMedian);
            trialReport.addRatio("time of the slowest, ratio to the median before", (double) slowest / idleMedian);
            trialReport.check("the reviewer was not disconnected", reviewer.isOpen(), "open");
        }
    }
}
