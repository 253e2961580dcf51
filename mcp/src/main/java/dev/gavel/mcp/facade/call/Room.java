package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Decisions;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.bus.NoBus;
import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.mcpx.Envelope;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of one topic that are under way, and what they are told. Confined to the topic's loop. */
public final class Room {
    private static final Logger log = LoggerFactory.getLogger(Room.class);

    private static final String PROGRESS = "notifications/progress";
    private static final char TASK = 't';

    /** How long it is listened to what is said in the topic after the last call. */
    private static final long LINGERS_MILLIS = 60_000;

    private final Topic topic;
    private final Gateway gateway;
    private final Directory directory;
    private final Decisions decisions;
    private final InstantSource clock;
    private final Map<String, Call> calls = new HashMap<>();
    private final Parked parked = new Parked();
    private final Uncollected uncollected = new Uncollected();
    private final Remarks remarks = new Remarks(this);

    /** Who was told by another process to call again, so that what is known of their proposals is old. */
    private final Set<String> told = new HashSet<>();

    private final Alarm unattended = new Alarm(this);
    private Topic.@Nullable Attending attending;
    private boolean draining;

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

    Uncollected uncollected() {
        return uncollected;
    }

    Set<String> told() {
        return told;
    }

    public Remarks remarks() {
        return remarks;
    }

    /** This process, by a name no other has. */
    String process() {
        return gateway.bus().process();
    }

    /** Whether other processes serve the topic too. */
    boolean shared() {
        return !(gateway.bus() instanceof NoBus);
    }

    /** Whether the process is about to end, so that nobody is to wait here for a decision. */
    boolean draining() {
        return draining;
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
        return Orphans.id(this);
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
        attend();
        calls.put(call.id(), call);
        onLoop(gateway.dispatch(topic, sender, envelope), call::posted, call::failed);
    }

    /** What whoever runs a call answers may be said at another process: it must be heard here while somebody waits. */
    private void attend() {
        if (attending == null) {
            attending = topic.attend();
        }
        unattended.set(LINGERS_MILLIS, this::leave);
    }

    private void leave() {
        if (!calls.isEmpty()) {
            unattended.set(LINGERS_MILLIS, this::leave);
        } else if (attending != null) {
            attending.close();
            attending = null;
        }
    }

    /** Has a call hear of a proposal that was made before. */
    void follow(Call call) {
        attend();
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
        } else if (change.step().event() instanceof Forwarded) {
            uncollected.remove(change.after().proposer(), change.after().id());
        } else if (change.step().event() instanceof StatusGiven given
                && Mark.of(given, change.after().proposer())
                        .filter(Mark.WILL_CALL_AGAIN::equals)
                        .isPresent()) {
            told.add(given.by());
        }
    }

    /** The process is about to end: nobody is kept waiting for a decision. */
    public void drain() {
        draining = true;
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

    /** Looks how a proposal stands that has only just begun to be followed: something may have happened before that. */
    void look(Call call) {
        records()
                .ifPresent(records -> onLoop(
                        records.view(call.caller(), call.id()),
                        view -> view.ifPresent(seen -> call.seen(Proposal.of(seen.timeline()))),
                        failure -> log("how a pending call stands could not be read", failure)));
    }

    /**
     * Has the end of a proposal handed out here, unless it was before, be it by another process.
     *
     * @param then told whether it is ours to hand out
     */
    void handOut(String proposal, Consumer<Boolean> then, Consumer<Throwable> failed) {
        records().ifPresent(records -> onLoop(records.forwarded(proposal), then, failed));
    }

    /** Finds out how a caller's proposal came out. */
    void ending(Caller by, String proposal, Consumer<Ending> then, Consumer<Throwable> failed) {
        records()
                .ifPresent(records -> onLoop(
                        records.view(by.member(), proposal),
                        view -> then.accept(view.map(seen -> Proposal.of(seen.timeline()))
                                .flatMap(Ending::of)
                                .orElseGet(() ->
                                        new Ending.NotDone("unknown", "Nothing is kept of this proposal any more."))),
                        failed));
    }

    /** Sends something in somebody's name, of the facade's own accord. */
    public CompletionStage<Posted> dispatch(Member sender, byte[] envelope) {
        return gateway.dispatch(topic, sender, envelope);
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
