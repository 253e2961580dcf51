package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client's call on its way: sent at once where the caller may, else proposed and waited for. It holds no thread. Confined
 * to the topic's loop.
 */
public final class Call {
    /** How long a call without a proposal may go without a sign of life from whoever runs it. */
    private static final long SILENT_MILLIS = 10 * 60_000;

    /** From when on a client that waits is shown that something has begun. */
    private static final long VISIBLE_MILLIS = 1_000;

    private final Room room;
    private final Caller caller;
    private final CallKey key;
    private final Vigil vigil;

    /** The proposal's id, or that of the request that was sent without one. */
    private final String id;

    private final boolean proposed;

    /** Null while nobody waits for the answer. */
    private @Nullable Client client;

    private final Run run;
    private boolean taken;
    private boolean ended;

    /** Whether a client was given its end, or so it seemed. */
    private boolean delivered;

    private final Parting parting;

    /** Whether its end is about to be handed out here. */
    private boolean handingOut;

    /** Why nobody wants it any more; null while somebody does. */
    private @Nullable String givenUp;

    Call(Room room, Caller caller, CallKey key, String id, boolean proposed, @Nullable Client client) {
        this.room = room;
        this.caller = caller;
        this.key = key;
        this.id = id;
        this.proposed = proposed;
        this.client = client;
        this.run = new Run(room, caller, key.target().participant(), proposed ? null : id);
        this.vigil = new Vigil(room, this);
        this.parting = new Parting(room, caller, id);
    }

    /** What it is found by: a proposal's id, or a request's. */
    public String id() {
        return id;
    }

    CallKey key() {
        return key;
    }

    public boolean proposed() {
        return proposed;
    }

    /** Whether its proposal is still to be decided. */
    boolean undecided() {
        return proposed && !run.begun() && !ended;
    }

    boolean waitedFor() {
        return client != null;
    }

    /** Whose answer is still to come; null where nobody's is. */
    @Nullable
    Client client() {
        return ended ? null : client;
    }

    Member caller() {
        return caller.member();
    }

    public boolean runBy(String participant) {
        return run.by(participant);
    }

    /** A proposal that was made before this process began, or at another. */
    Call recalled() {
        taken = true;
        return this;
    }

    /** How its proposal stood when it was looked at. */
    void seen(Proposal proposal) {
        if (proposal.isForwarded() && !handingOut) {
            givenElsewhere();
        }
        Fulfilment fulfilment = proposal.fulfilment();
        if (fulfilment != null && !run.begun()) {
            begun(fulfilment.request());
        }
        Ending.of(proposal).ifPresent(this::end);
    }

    private void begun(Fulfilled fulfilled) {
        run.begin(fulfilled);
        if (givenUp != null) {
            run.cancel(givenUp);
        }
    }

    /** Hears what became of sending it. */
    void posted(Posted posted) {
        switch (posted) {
            case Posted.Refused(var failures) -> {
                over();
                answer(c -> Failures.answer(c.id(), failures));
            }
            case Posted.Taken _ -> {
                taken = true;
                if (givenUp != null) {
                    stop(givenUp);
                } else if (!ended) {
                    await();
                }
            }
        }
    }

    void failed(Throwable failure) {
        over();
        answer(c -> RpcError.INTERNAL.failure(c.id(), Words.FAILED));
        room.log("a call failed", failure);
    }

    /** Waits for what comes, in the way the client can bear. */
    private void await() {
        Client waiting = client;
        if (waiting == null) {
            return;
        }
        if (!waiting.out().read()) {
            waiting.unread(this);
        }
        if (!proposed) {
            vigil.set(VISIBLE_MILLIS, () -> {
                waiting.out().begin();
                vigil.set(SILENT_MILLIS, this::silent);
            });
            return;
        }
        waiting.out().begin();
        if (room.draining() && undecided()) {
            pending();
        } else if (waiting.progress() == null) {
            vigil.set(caller.settings().hold().toMillis(), this::pending);
        } else {
            vigil.look();
        }
    }

    /** Nothing came of it in the time a client bears: it is told so, and may call again. */
    private void pending() {
        room.standing(this, status -> {
            Client waiting = client;
            // Who does not read is not told; whether they come back is looked at elsewhere.
            if (!ended && waiting != null && waiting.out().read()) {
                putOff(waiting, status);
            }
        });
    }

    /** Tells a client that it is pending, once any process would know of it that is called next. */
    private void putOff(Client waiting, String status) {
        boolean approved = run.begun();
        park(() -> leave(waiting, Words.pending(waiting.id(), key.target(), id, status, approved)));
    }

    /** The process is about to end: whoever waits for a decision is told to call again, which another will take up. */
    void drain() {
        if (client != null && undecided() && taken) {
            pending();
        }
    }

    /** The process ends now: whoever waits for an answer is told that it will not come, and what to do. */
    void cutOff() {
        parting.now();
        Client waiting = client;
        if (ended || waiting == null) {
            return;
        }
        if (undecided() && taken) {
            putOff(waiting, Words.STOPPING);
            parting.now();
            return;
        }
        client = null;
        vigil.stop();
        leave(
                waiting,
                !proposed
                        ? Words.unanswered(waiting.id(), key.target(), run.who())
                        : taken
                                ? Words.cutOff(waiting.id(), key.target(), id)
                                : Words.unproposed(waiting.id(), key.target()));
    }

    /** Answers a client that waits no more, though the call goes on. */
    private void leave(Client waiting, Message answer) {
        waiting.out().finish(answer);
        waiting.done(this);
    }

    /** Stays, without anybody waiting, until the caller calls again. */
    private void park(Runnable then) {
        client = null;
        vigil.stop();
        if (room.parked().holds(this)) {
            then.run();
        } else {
            room.parked().park(this).ifPresent(oldest -> oldest.stop("the caller left too many calls pending"));
            parting.begin(then);
        }
    }

    /** The caller has called again, and asks for it by its id from now on. */
    void handOver() {
        Client before = client;
        client = null;
        if (before != null) {
            leave(
                    before,
                    Words.pending(before.id(), key.target(), id, "another call of yours holds it as a task", false));
        }
        vigil.stop();
        room.forget(this);
        room.remarks().mark(caller, id, Mark.HELD_AS_TASK, () -> {});
    }

    /** The caller has called again; a client that still waits for the same is told to do likewise. */
    void takeUp(Client again) {
        Client before = client;
        client = again;
        if (before != null) {
            leave(before, Words.pending(before.id(), key.target(), id, "another call of yours waits for it", false));
        }
        await();
    }

    /** Its end was handed out at another process. */
    private void givenElsewhere() {
        over();
        answer(c -> Words.givenToAnother(c.id(), key.target(), id));
        client = null;
    }

    /** Something happened to its proposal. */
    void happened(Change change) {
        Proposal after = change.after();
        if (change.step().event() instanceof Fulfilled fulfilled) {
            begun(fulfilled);
        }
        if (change.step().event() instanceof Forwarded && !handingOut) {
            givenElsewhere();
        }
        if (client == null
                && change.step().event() instanceof StatusGiven given
                && Mark.of(given, after.proposer())
                        .filter(Mark.HELD_AS_TASK::equals)
                        .isPresent()) {
            over();
        }
        Ending.of(after).ifPresentOrElse(this::end, this::moved);
    }

    private void moved() {
        Client waiting = client;
        if (taken && waiting != null && waiting.progress() != null) {
            vigil.look();
        }
    }

    private void end(Ending ending) {
        if (ended) {
            return;
        }
        ended = true;
        if (room.parked().holds(this)) {
            if (client == null) {
                leaveForCaller();
            } else {
                handOut(ending);
            }
            return;
        }
        over();
        if (client != null) {
            deliver(ending);
        } else if (ending instanceof Ending.Done) {
            room.remarks().notForwarded(id, givenUp == null ? "nobody called for it again" : givenUp);
        }
    }

    /** Nobody waits for its end now, but its caller will call again. */
    private void leaveForCaller() {
        over();
        room.uncollected().add(key, id, room.now());
    }

    /** Gives its end to whoever waits here, unless somebody who waits elsewhere was given it. */
    private void handOut(Ending ending) {
        handingOut = true;
        vigil.stop();
        room.handOut(
                id,
                first -> {
                    if (!first) {
                        givenElsewhere();
                        return;
                    }
                    over();
                    if (client == null) {
                        room.remarks().notForwarded(id, Words.LEFT);
                    } else {
                        deliver(ending);
                    }
                },
                failure -> {
                    answer(c -> Words.pending(c.id(), key.target(), id, Words.AWAY, true));
                    client = null;
                    leaveForCaller();
                });
    }

    private void deliver(Ending ending) {
        delivered = true;
        answer(c -> Words.ending(c.id(), key.target(), id, ending));
    }

    private void over() {
        ended = true;
        vigil.stop();
        room.forget(this);
    }

    private void answer(Function<Client, Message> message) {
        Client waiting = client;
        if (waiting != null) {
            leave(waiting, message.apply(waiting));
        }
    }

    /** Whoever runs it has answered; only for calls without a proposal. */
    void answered(Envelope response) {
        over();
        deliver(new Ending.Done(Payloads.of(response)));
    }

    /** Whoever runs it says how far it is. */
    void progressed(Json params) {
        Client waiting = client;
        if (ended) {
            return;
        }
        if (waiting != null && waiting.progress() != null) {
            vigil.tool(waiting, waiting.progress(), params);
        }
        if (!proposed) {
            vigil.set(SILENT_MILLIS, this::silent);
        }
    }

    /** Whoever runs it has left; of proposals the ledger tells. */
    void runnerLeft() {
        if (!ended && !proposed) {
            fail("left before it answered");
        }
    }

    private void silent() {
        run.cancel("no answer in time");
        fail("did not answer in time");
    }

    private void fail(String why) {
        over();
        String sentence = run.who() + " " + why + "; whether " + key.target().called() + " was done is unknown.";
        answer(c -> RpcError.UNAVAILABLE.failure(c.id(), sentence));
    }

    /** Nobody reads its answer any more, and nobody has come back for it. */
    public void abandoned() {
        Client waiting = client;
        if (waiting == null || waiting.out().read()) {
            return;
        }
        if (proposed && !ended && caller.settings().keep()) {
            putOff(waiting, Words.LEFT);
        } else {
            stop(Words.LEFT);
            // Who comes back all the same is not to wait for an answer that does not come.
            leave(waiting, Words.ending(waiting.id(), key.target(), id, new Ending.NotDone("withdrawn", Words.LOST)));
        }
    }

    /** The answer could not be handed over: the client had gone, and will not call again. */
    public void undelivered() {
        if (proposed && delivered && givenUp == null) {
            room.remarks().notForwarded(id, Words.LEFT);
        }
    }

    /** Nobody wants it any more. */
    public void cancel(String why) {
        Client waiting = client;
        stop(why);
        if (waiting != null) {
            waiting.out().end();
            waiting.done(this);
        }
    }

    private void stop(String why) {
        givenUp = why;
        client = null;
        vigil.stop();
        room.parked().forget(this);
        if (ended || !taken) {
            return;
        }
        if (!run.begun()) {
            room.remarks().withdraw(caller, id, why);
        } else {
            run.cancel(why);
            if (!proposed) {
                over();
            }
        }
    }
}
