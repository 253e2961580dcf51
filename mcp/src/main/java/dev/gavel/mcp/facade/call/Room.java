package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Decisions;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.proposal.Outcome;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.draft.Drafts;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of one topic that are under way, and what they are told. Confined to the topic's loop. */
public final class Room {
    private static final Logger log = LoggerFactory.getLogger(Room.class);

    private static final Kind CANCELLED = Kind.of("mcp.request.notifications/cancelled");
    private static final String PROGRESS = "notifications/progress";
    private static final char TASK = 't';
    private static final int TRIES = 20;
    private static final long AGAIN_MILLIS = 3_000;

    private final Topic topic;
    private final Gateway gateway;
    private final Directory directory;
    private final Decisions decisions;
    private final InstantSource clock;
    private final Map<String, Call> calls = new HashMap<>();
    private final Parked parked = new Parked();

    /** Who was told by another process to call again, so that what is known of their proposals is old. */
    private final Set<String> told = new HashSet<>();

    public Room(Topic topic, Gateway gateway, Directory directory, Decisions decisions, InstantSource clock) {
        this.topic = topic;
        this.gateway = gateway;
        this.directory = directory;
        this.decisions = decisions;
        this.clock = clock;
    }

    public Topic topic() {
        return topic;
    }

    public Directory directory() {
        return directory;
    }

    public Decisions decisions() {
        return decisions;
    }

    public Optional<Records> records() {
        return topic.records();
    }

    Parked parked() {
        return parked;
    }

    Set<String> told() {
        return told;
    }

    public Instant now() {
        return clock.instant();
    }

    /** An id for an envelope. */
    public String id(char letter) {
        return EnvelopeIds.next(letter, clock.instant());
    }

    /** An id for a proposal whose proposer waits here. */
    String waitingId() {
        return Orphans.id(this, gateway.bus().process());
    }

    /** An id for a proposal that is all its proposer has of it. */
    String taskId() {
        return EnvelopeIds.unguessable(TASK, clock.instant());
    }

    /** Whether it is such an id. */
    public static boolean isTask(String id) {
        return id.startsWith(TASK + "-");
    }

    /** How many calls are under way. */
    int underWay() {
        return calls.size();
    }

    /** Sends the envelope that begins a call, and has the call told what comes; its client's rate was looked at before. */
    void begin(Call call, Member sender, byte[] envelope) {
        calls.put(call.id(), call);
        onLoop(gateway.dispatch(topic, sender, envelope), call::posted, call::failed);
    }

    /** Has a call hear of a proposal that was made before. */
    void follow(Call call) {
        calls.put(call.id(), call);
    }

    boolean follows(String proposal) {
        return calls.containsKey(proposal);
    }

    void forget(Call call) {
        calls.remove(call.id(), call);
        parked.forget(call);
    }

    /** Something happened to a proposal. */
    public void happened(Change change) {
        Call call = calls.get(change.after().id());
        if (call != null) {
            call.happened(change);
        } else if (change.step().event() instanceof StatusGiven given && Words.WILL_CALL_AGAIN.equals(given.note())) {
            told.add(given.by());
        }
    }

    /** The process is about to end: nobody is kept waiting for a decision. */
    public void drain() {
        List.copyOf(calls.values()).forEach(Call::drain);
    }

    /** The process ends now. */
    public void cutOff() {
        List.copyOf(calls.values()).forEach(Call::cutOff);
    }

    /** A response or a notification of progress may be meant for a call. */
    public void heard(String from, Envelope envelope) {
        switch (envelope.rule()) {
            case RESPONSE -> {
                Call call = calls.get(envelope.correlationIds().getFirst());
                if (call != null && !call.proposed() && call.runBy(from)) {
                    call.answered(envelope);
                }
            }
            case REQUEST -> {
                if (PROGRESS.equals(envelope.kind().method())) {
                    Json params = Payloads.of(envelope).at("params");
                    Call call = calls.get(params.at("progressToken").text());
                    if (call != null && call.runBy(from)) {
                        call.progressed(params);
                    }
                }
            }
            default -> {}
        }
    }

    public void left(Member member) {
        calls.values().stream().filter(call -> call.runBy(member.id())).toList().forEach(Call::runnerLeft);
    }

    /** Finds out how a call's proposal stands, in words for its proposer. */
    void standing(Call call, Consumer<String> then) {
        records()
                .ifPresent(records -> onLoop(
                        records.view(call.caller(), call.id()),
                        view -> then.accept(
                                view.map(seen -> seen.guidance().status()).orElse("nothing is known of it")),
                        failure -> then.accept("how it stands cannot be read now")));
    }

    /** Finds out how a call's proposal came out. */
    void ending(Call call, Consumer<Ending> then) {
        records()
                .ifPresent(records -> onLoop(
                        records.view(call.caller(), call.id()),
                        view -> then.accept(view.map(seen -> Proposal.of(seen.timeline()))
                                .flatMap(Ending::of)
                                .orElseGet(() ->
                                        new Ending.NotDone("unknown", "Nothing is kept of this proposal any more."))),
                        call::failed));
    }

    /**
     * Marks a proposal as one whose caller will call again.
     *
     * @param then run once that is kept, or cannot be
     */
    void willCallAgain(Caller caller, String proposal, Runnable then) {
        onLoop(
                dispatch(
                        caller.only("mcpx.status.proposal"),
                        Drafts.remark(
                                id('x'),
                                "status",
                                List.of(proposal),
                                Map.of("status", "queued", "note", Words.WILL_CALL_AGAIN))),
                posted -> then.run(),
                failure -> {
                    log("a remark on a proposal could not be sent", failure);
                    then.run();
                });
    }

    /** Marks a proposal as one whose caller asks for it by its id, or waits here: no other process keeps it for them. */
    void takenUp(Caller caller, String proposal, String how) {
        remark(caller.only("mcpx.status.proposal"), "status", proposal, Map.of("status", "queued", "note", how), 0);
    }

    /** Whether another process that is there may keep a proposal's end for its caller. */
    boolean keptElsewhere(String proposal) {
        Bus bus = gateway.bus();
        return Orphans.process(proposal)
                .filter(process -> !process.equals(bus.process()) && bus.alive(process))
                .isPresent();
    }

    /** Withdraws a proposal in its proposer's name. */
    void withdraw(Caller caller, String proposal, String why) {
        withdraw(caller.only("mcpx.withdraw.proposal"), proposal, why);
    }

    /** Withdraws a proposal, or calls off what is run for it where it was approved in the meantime. */
    public void callOff(Caller caller, String proposal, String why) {
        onLoop(
                dispatch(
                        caller.only("mcpx.withdraw.proposal"),
                        Drafts.remark(id('x'), "withdraw", List.of(proposal), Map.of("reason", why))),
                posted -> {
                    if (posted instanceof Posted.Refused(var failures)) {
                        if (isAway(failures)) {
                            withdraw(caller, proposal, why);
                        } else {
                            cancelRun(caller, proposal, why);
                        }
                    }
                },
                failure -> log("a proposal could not be called off", failure));
    }

    private void cancelRun(Caller caller, String proposal, String why) {
        records()
                .ifPresent(records -> onLoop(
                        records.view(caller.member(), proposal),
                        view -> view.map(seen -> Proposal.of(seen.timeline()).fulfilment())
                                .filter(fulfilment -> fulfilment.outcome() == Outcome.PENDING)
                                .ifPresent(fulfilment -> cancelRun(
                                        caller, fulfilment.request().sent().id(), fulfilment.addressees(), why)),
                        failure -> log("a proposal could not be called off", failure)));
    }

    void withdraw(Member proposer, String proposal, String why) {
        remark(proposer, "withdraw", proposal, Map.of("reason", why), TRIES);
    }

    /** Says something about a proposal; where the ledger is away for a moment, again. */
    @SuppressWarnings("FutureReturnValueIgnored") // it happens, or the process ends before
    private void remark(Member sender, String operation, String proposal, Map<String, String> payload, int tries) {
        Runnable again = () -> topic.loop()
                .schedule(
                        () -> remark(sender, operation, proposal, payload, tries - 1),
                        AGAIN_MILLIS,
                        TimeUnit.MILLISECONDS);
        onLoop(
                dispatch(sender, Drafts.remark(id('x'), operation, List.of(proposal), payload)),
                posted -> {
                    if (tries > 0 && posted instanceof Posted.Refused(var failures) && isAway(failures)) {
                        again.run();
                    }
                },
                failure -> log("a remark on a proposal could not be sent", failure));
    }

    /** Whether the ledger is away for a moment. */
    private static boolean isAway(List<Failure> failures) {
        return failures.stream().anyMatch(each -> each.error() == ErrorCode.UNAVAILABLE);
    }

    /** Sends something in somebody's name, of the facade's own accord. */
    public CompletionStage<Posted> dispatch(Member sender, byte[] envelope) {
        return gateway.dispatch(topic, sender, envelope);
    }

    /** Tells whoever runs a call that nobody wants it any more. */
    void cancelRun(Caller caller, String request, List<String> runners, String why) {
        byte[] envelope = EnvelopeDraft.of(id('n'), CANCELLED)
                .addressed(runners)
                .encode(Spelling.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("jsonrpc", "2.0");
                    json.writeStringProperty("method", "notifications/cancelled");
                    json.writeObjectPropertyStart("params");
                    json.writeStringProperty("requestId", request);
                    json.writeStringProperty("reason", why);
                    json.writeEndObject();
                    json.writeEndObject();
                });
        onLoop(
                gateway.dispatch(topic, caller.only(CANCELLED.toString()), envelope),
                posted -> {},
                failure -> log("a call could not be cancelled", failure));
    }

    void notForwarded(String proposal, String why) {
        records().ifPresent(records -> records.notForwarded(proposal, why));
    }

    public void log(String what, Throwable failure) {
        log.atWarn().addKeyValue("topic", topic.name()).setCause(failure).log(what);
    }

    /** Has something done on the topic's loop once it is there. */
    public <T> void onLoop(CompletionStage<T> coming, Consumer<T> then, Consumer<Throwable> failed) {
        var _ = coming.whenComplete((value, failure) -> {
            Runnable rest = () -> {
                try {
                    if (failure == null) {
                        then.accept(value);
                    } else {
                        failed.accept(failure);
                    }
                } catch (RuntimeException e) {
                    log("something failed that a client may wait for", e);
                    if (failure == null) {
                        failed.accept(e);
                    }
                }
            };
            if (topic.loop().inEventLoop()) {
                rest.run();
            } else {
                topic.loop().execute(rest);
            }
        });
    }
}
