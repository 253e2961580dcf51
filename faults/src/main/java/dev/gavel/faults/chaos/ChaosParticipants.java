package dev.gavel.faults.chaos;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.client.Answer;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.GavelException;
import dev.gavel.client.IncomingToolRequest;
import dev.gavel.client.Pending;
import dev.gavel.client.Proposal;
import dev.gavel.client.Reviewer;
import dev.gavel.client.Tools;
import dev.gavel.client.http.RemoteProblem;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Connects all participants of a chaos run, over raw sockets and through the client library, and makes them propose,
 * review, serve and chat. The number of a proposal determines its planned outcome. Thread-safe.
 */
final class ChaosParticipants implements AutoCloseable {
    static final String TOPIC = "ops";

    private static final long RAW_MILLIS = 130;
    private static final long LIBRARY_MILLIS = 400;
    private static final long CHAT_MILLIS = 90;
    private static final long AGAIN_MILLIS = 500;
    private static final int MOST_PENDING = 40;

    /** Refusals of a decision that are transient: the same decision may succeed a moment later. */
    private static final Set<String> TRANSIENT_ERRORS = Set.of("unknown_recipient", "unavailable", "rate_limited");

    private final Map<String, JournalingSocketParticipant> rawParticipants = new LinkedHashMap<>();
    private final Map<String, ClientLibraryParticipant> libraryParticipants = new LinkedHashMap<>();
    private final Map<String, Pending> pendingProposals = new ConcurrentHashMap<>();
    private final ToolRunLog toolRunLog = new ToolRunLog();
    private final Set<String> servedRequests = ConcurrentHashMap.newKeySet();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean proposing = true;
    private volatile boolean closed;

    ChaosParticipants(RecordingGatewayProxies gateways, long seed, long start) {
        try {
            connectAll(gateways, seed, start);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void connectAll(RecordingGatewayProxies gateways, long seed, long start) {
        Random random = new Random(seed);
        Stream.of(ChaosTopicConfig.SERVERS.get(2))
                .forEach(name -> rawParticipants(gateways, name, false, start, random));
        rawParticipants(gateways, "r0", false, start, random);
        ChaosTopicConfig.CHATTERS.forEach(name -> rawParticipants(gateways, name, false, start, random));
        ChaosTopicConfig.RAW_PROPOSERS.forEach(
                name -> rawParticipants(gateways, name, name.equals("p2"), start, random));
        rawParticipants.values().forEach(JournalingSocketParticipant::start);
        Stream.of("files-a", "alice", "lib0")
                .forEach(name -> libraryParticipants.put(
                        name, new ClientLibraryParticipant(List.of(gateways.anyUrl()), name, start)));
        Stream.of("files-b", "bob", "lib1")
                .forEach(name ->
                        libraryParticipants.put(name, new ClientLibraryParticipant(gateways.urls(), name, start)));
        Stream.of("files-a", "files-b")
                .forEach(name -> libraryParticipant(name)
                        .participant()
                        .serve(new Tools().tool("write_file", request -> runTool(name, request))));
        review("alice", proposal -> switch (PlannedProposalOutcome.of(proposal.id())) {
            case FULFILLED, FULFILLED_OR_REJECTED, FULFILLED_BY_ONE ->
                Decision.approve()
                        .runBy(runner(proposal.id()))
                        .forDefinition(EnvelopeTemplates.definitionDigest(runner(proposal.id())));
            default -> Decision.leave();
        });
        review("bob", proposal -> switch (PlannedProposalOutcome.of(proposal.id())) {
            case REJECTED, FULFILLED_OR_REJECTED -> Decision.reject("policy");
            default -> Decision.leave();
        });
        ChaosTopicConfig.RAW_PROPOSERS.forEach(name -> startThread(name, () -> propose(rawParticipant(name))));
        ChaosTopicConfig.LIBRARY_PROPOSERS.forEach(name -> startThread(name, () -> propose(libraryParticipant(name))));
        ChaosTopicConfig.CHATTERS.forEach(name -> startThread(name, () -> chat(rawParticipant(name))));
    }

    private void rawParticipants(
            RecordingGatewayProxies gateways, String name, boolean directed, long start, Random random) {
        rawParticipants.put(
                name,
                new JournalingSocketParticipant(
                        gateways,
                        name,
                        directed,
                        start,
                        random.nextLong(),
                        this::onEnvelope,
                        (thread, e) -> recordFailure("a thread of " + name + " died: " + e)));
    }

    private void startThread(String participantName, ParticipantTask participantTask) {
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                participantTask.run();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                recordFailure("a thread of " + participantName + " died: " + e);
            }
        }));
    }

    /** Records a failure that must not happen; ignored at the end, when the connections are closed. */
    private void recordFailure(String what) {
        if (!closed) {
            failures.add(what);
        }
    }

    /** The failures of participants that no fault may cause. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** The tool runs, as the servers recorded them. */
    List<ToolRunLog.Run> toolRuns() {
        return toolRunLog.all();
    }

    private Answer runTool(String server, IncomingToolRequest request) {
        toolRunLog.add(
                new ToolRunLog.Run(request.proposal().orElse(""), request.id(), server, request.argument("path")));
        return Answer.text("written");
    }

    private void review(String name, Function<Proposal, Decision> mind) {
        libraryParticipant(name).participant().review(new RetryingReviewer(name, mind));
    }

    /** A participant's activity until the run ends. */
    @FunctionalInterface
    private interface ParticipantTask {
        void run() throws InterruptedException;
    }

    List<JournalingSocketParticipant> rawParticipants() {
        return List.copyOf(rawParticipants.values());
    }

    List<ClientLibraryParticipant> libraryParticipants() {
        return List.copyOf(libraryParticipants.values());
    }

    List<ParticipantJournal> journals() {
        return Stream.concat(
                        rawParticipants.values().stream().map(JournalingSocketParticipant::journal),
                        libraryParticipants.values().stream().map(ClientLibraryParticipant::journal))
                .toList();
    }

    /** The records of all participants. */
    List<ParticipantRunRecord> runRecords() {
        return Stream.concat(
                        rawParticipants.values().stream()
                                .map(each -> new ParticipantRunRecord(
                                        each.journal(), each.echoes(), each.refusals(), false, List.of())),
                        libraryParticipants.values().stream()
                                .map(each -> new ParticipantRunRecord(
                                        each.journal(), Set.of(), Map.of(), true, each.unexpectedErrors())))
                .toList();
    }

    /** The proposals that the client library's proposers wait for, by id. */
    Map<String, Pending> pendingProposals() {
        return Map.copyOf(pendingProposals);
    }

    private JournalingSocketParticipant rawParticipant(String name) {
        JournalingSocketParticipant known = rawParticipants.get(name);
        if (known == null) {
            throw new IllegalArgumentException(name);
        }
        return known;
    }

    private ClientLibraryParticipant libraryParticipant(String name) {
        ClientLibraryParticipant known = libraryParticipants.get(name);
        if (known == null) {
            throw new IllegalArgumentException(name);
        }
        return known;
    }

    /** Stops new proposals and chat; open proposals still run to their end. */
    void stopProposing() {
        proposing = false;
    }

    private void propose(JournalingSocketParticipant proposer) throws InterruptedException {
        for (int n = 0; proposing; n++) {
            Thread.sleep(RAW_MILLIS);
            String id = proposer.name() + "-" + n;
            // Both kinds of envelopes are numbered together, so that their relative order can be checked.
            if (n % 3 == 2) {
                proposer.sendOnce(id, EnvelopeTemplates.chatMessage(id));
            } else if (proposer.pendingCount() < MOST_PENDING) {
                proposer.sendUntilSettled(
                        id,
                        EnvelopeTemplates.proposal(
                                id, PlannedProposalOutcome.of(id).ttlSeconds(), 60));
            }
        }
    }

    private void propose(ClientLibraryParticipant proposer) throws InterruptedException {
        for (int n = 0; proposing; n++) {
            Thread.sleep(LIBRARY_MILLIS);
            String id = proposer.journal().name() + "-" + n;
            PlannedProposalOutcome plannedProposalOutcome = PlannedProposalOutcome.of(id);
            Pending pending = proposer.participant()
                    .propose(Call.tool("write_file").argument("path", "/tmp/" + id))
                    .id(id)
                    .ttl(Duration.ofMillis((long) (plannedProposalOutcome.ttlSeconds() * 1000)))
                    .send();
            pendingProposals.put(id, pending);
            if (plannedProposalOutcome == PlannedProposalOutcome.WITHDRAWN
                    || plannedProposalOutcome == PlannedProposalOutcome.WITHDRAWN_OR_FULFILLED) {
                withdraw(pending);
            }
        }
    }

    private void withdraw(Pending pending) {
        var _ = pending.withdraw("changed my mind").whenComplete((done, failure) -> {
            Throwable why = failure instanceof CompletionException ? failure.getCause() : failure;
            if (why instanceof GavelException.Refused refused
                    && refused.problem().code().equals("unavailable")) {
                // If the proposal itself was refused, there is nothing to withdraw.
                if (!pending.accepted().isCompletedExceptionally()) {
                    retryLater("withdrawing", () -> withdraw(pending));
                }
            } else if (why != null && !lostRace(why)) {
                recordFailure("the library could not withdraw " + pending.id() + ": " + why);
            }
        });
    }

    private static boolean lostRace(Throwable failure) {
        return failure instanceof GavelException.Refused refused
                && GuaranteeChecker.LOST_RACE_CODES.contains(refused.problem().code());
    }

    private void retryLater(String what, Runnable doing) {
        if (!closed) {
            startThread(what, () -> {
                Thread.sleep(AGAIN_MILLIS);
                doing.run();
            });
        }
    }

    private void chat(JournalingSocketParticipant chatter) throws InterruptedException {
        for (int n = 0; proposing; n++) {
            Thread.sleep(CHAT_MILLIS);
            String id = chatter.name() + "-" + n;
            chatter.sendOnce(id, EnvelopeTemplates.chatMessage(id));
        }
    }

    private void onEnvelope(JournalingSocketParticipant participant, ReceivedEnvelope receivedEnvelope) {
        String kind = receivedEnvelope.kind();
        if (kind.startsWith("mcp.request.")
                && ChaosTopicConfig.SERVERS.contains(participant.name())
                && isFor(participant.name(), receivedEnvelope)) {
            if (receivedEnvelope.textField("from").equals("system:gateway")) {
                // The gateway asks for the lists of what the server offers. The answer concerns no proposal, so it is
                // not echoed.
                String id = "l-" + receivedEnvelope.id();
                participant.sendToGateway(
                        id,
                        EnvelopeTemplates.listResponse(
                                id, receivedEnvelope.id(), kind.substring("mcp.request.".length())));
                return;
            }
            // It may receive the request again after reconnecting, and recognizes by the id that it has already run it.
            if (servedRequests.add(receivedEnvelope.id())) {
                toolRunLog.add(new ToolRunLog.Run(
                        receivedEnvelope.correlationId(),
                        receivedEnvelope.id(),
                        participant.name(),
                        receivedEnvelope.textField("path")));
            }
            String id = "a-" + receivedEnvelope.id();
            participant.sendUntilSettled(
                    id, EnvelopeTemplates.response(id, receivedEnvelope.id(), receivedEnvelope.textField("from")));
        } else if (kind.startsWith("mcp.proposal.")) {
            String proposal = receivedEnvelope.id();
            PlannedProposalOutcome plannedProposalOutcome = PlannedProposalOutcome.of(proposal);
            if (participant.name().equals("r0")) {
                review(participant, proposal, plannedProposalOutcome);
            } else if (receivedEnvelope.textField("from").equals(participant.name())
                    && (plannedProposalOutcome == PlannedProposalOutcome.WITHDRAWN
                            || plannedProposalOutcome == PlannedProposalOutcome.WITHDRAWN_OR_FULFILLED)) {
                participant.sendUntilSettled("w-" + proposal, EnvelopeTemplates.withdrawal("w-" + proposal, proposal));
            }
        }
    }

    private static boolean isFor(String name, ReceivedEnvelope receivedEnvelope) {
        return receivedEnvelope.text().contains("\"to\":[\"" + name + "\"]");
    }

    /**
     * Decides over a raw socket. The approval names the definition of the tool: a gateway that has just started did not
     * know it when the call was proposed, and would refuse an approval without it.
     */
    private void review(
            JournalingSocketParticipant reviewer, String proposal, PlannedProposalOutcome plannedProposalOutcome) {
        String id = "f-" + proposal;
        String envelopeText = EnvelopeTemplates.fulfilmentForListedDefinition(id, proposal, runner(proposal));
        switch (plannedProposalOutcome) {
            case WITHDRAWN_OR_FULFILLED, FULFILLED -> reviewer.sendUntilSettled(id, envelopeText);
            case FULFILLED_OR_EXPIRED ->
                startThread("r0", () -> {
                    Thread.sleep((long) (plannedProposalOutcome.ttlSeconds() * 1000 - 60)
                            + PlannedProposalOutcome.number(proposal) % 16);
                    reviewer.sendUntilSettled(id, envelopeText);
                });
            default -> {}
        }
    }

    static String runner(String proposal) {
        return ChaosTopicConfig.SERVERS.get(Math.floorMod(proposal.hashCode(), ChaosTopicConfig.SERVERS.size()));
    }

    /**
     * Decides through the client library, and retries decisions that failed because a participant or the ledger was
     * unavailable.
     */
    private final class RetryingReviewer implements Reviewer {
        private final String name;
        private final Function<Proposal, Decision> decider;

        RetryingReviewer(String name, Function<Proposal, Decision> mind) {
            this.name = name;
            this.decider = mind;
        }

        @Override
        public Decision review(Proposal proposal) {
            return decider.apply(proposal);
        }

        @Override
        public void notTaken(Proposal proposal, Decision decision, RemoteProblem failure) {
            if (TRANSIENT_ERRORS.contains(failure.code())) {
                retryLater(name, () -> decide(proposal, decision));
            } else if (!GuaranteeChecker.LOST_RACE_CODES.contains(failure.code())) {
                recordFailure(
                        "the decision of " + name + " on " + proposal.id() + " was refused with " + failure.code());
            }
        }

        private void decide(Proposal proposal, Decision decision) {
            var _ = libraryParticipant(name)
                    .participant()
                    .decide(proposal, decision)
                    .whenComplete((done, failure) -> {
                        if (failure instanceof GavelException.Refused refused) {
                            notTaken(proposal, decision, refused.problem());
                        } else if (failure != null) {
                            recordFailure(name + " could not decide " + proposal.id() + ": " + failure);
                        }
                    });
        }
    }

    @Override
    public void close() {
        proposing = false;
        closed = true;
        threads.forEach(Thread::interrupt);
        rawParticipants.values().forEach(JournalingSocketParticipant::close);
        List<Thread> closing = libraryParticipants.values().stream()
                .map(each -> Thread.ofVirtual().start(each::close))
                .toList();
        try {
            for (Thread each : closing) {
                each.join();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
