package dev.gavel.mcp.facade;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client's call on its way: sent at once where the caller may, else proposed and waited for. It holds no thread. Confined
 * to the topic's loop.
 */
final class Call {
    /** How often a client that asked for progress hears that it still waits. */
    private static final long TICK_MILLIS = 8_000;

    /** How long a client whose connection broke has to come back. */
    private static final long RETURN_MILLIS = 10_000;

    /** How long a call without a proposal may go without a sign of life from whoever runs it. */
    private static final long SILENT_MILLIS = 10 * 60_000;

    /** From when on a client that waits is shown that something has begun. */
    private static final long VISIBLE_MILLIS = 1_000;

    /** How long the end of a proposal waits for a caller who was told to call again. */
    private static final long KEPT_MILLIS = 60 * 60_000;

    private final Room room;
    private final Caller caller;
    private final Target target;
    private final Parked.Key key;
    private final Instant since;

    /** Null while nobody waits for the answer. */
    private @Nullable Client client;

    /** The proposal's id, or that of the request that was sent without one. */
    private final String id;

    private final boolean proposed;

    /** The envelope that makes the call, and who runs it. */
    private @Nullable String request;

    private List<String> runners;
    private String words = "";
    private boolean taken;
    private boolean marked;
    private boolean ended;

    /** Why nobody wants it any more; null while somebody does. */
    private @Nullable String givenUp;

    private @Nullable Future<?> timer;

    Call(Room room, Caller caller, Target target, Json params, String id, boolean proposed, @Nullable Client client) {
        this.room = room;
        this.caller = caller;
        this.target = target;
        this.key = Parked.Key.of(caller.id(), target, params);
        this.id = id;
        this.proposed = proposed;
        this.client = client;
        this.runners = List.of(target.participant());
        this.request = proposed ? null : id;
        this.since = room.now();
    }

    /** What it is found by: a proposal's id, or a request's. */
    String id() {
        return id;
    }

    Parked.Key key() {
        return key;
    }

    String runner() {
        return runners.getFirst();
    }

    boolean proposed() {
        return proposed;
    }

    Member caller() {
        return caller.member();
    }

    boolean runBy(String participant) {
        return runners.contains(participant);
    }

    /** A proposal that was made and parked before this process began. */
    Call recalled() {
        taken = true;
        marked = true;
        return this;
    }

    /** Hears what became of sending it. */
    void posted(Posted posted) {
        switch (posted) {
            case Posted.Refused(var failures) -> {
                ended = true;
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
        ended = true;
        over();
        answer(c -> RpcError.INTERNAL.failure(c.id(), "Something went wrong here; the log says what."));
        room.log("a call failed", failure);
    }

    /** Waits for what comes, in the way the client can bear. */
    private void await() {
        Client waiting = client;
        if (waiting == null) {
            return;
        }
        if (!proposed) {
            schedule(VISIBLE_MILLIS, () -> {
                waiting.out().begin();
                schedule(SILENT_MILLIS, this::silent);
            });
            return;
        }
        waiting.out().begin();
        if (waiting.progress() == null) {
            schedule(caller.settings().hold().toMillis(), this::pending);
        } else {
            refresh();
        }
    }

    /** Finds out what to say of it, says it, and goes on saying it. */
    private void refresh() {
        room.standing(this, status -> {
            words = status;
            tick();
        });
    }

    private void tick() {
        Client waiting = client;
        if (ended || waiting == null || waiting.progress() == null) {
            return;
        }
        waiting.out().send(waiting.progress().waiting(words + soFar()));
        schedule(TICK_MILLIS, this::tick);
    }

    private String soFar() {
        Duration waited = Duration.between(since, room.now());
        return waited.toSeconds() < 5
                ? ""
                : " (waiting for " + (waited.toMinutes() < 1 ? waited.toSeconds() + " s" : waited.toMinutes() + " min")
                        + ")";
    }

    private void schedule(long millis, Runnable then) {
        unschedule();
        timer = room.topic().loop().schedule(then, millis, TimeUnit.MILLISECONDS);
    }

    private void unschedule() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** Nobody decided in the time a client bears: it is told so, and may call again. */
    private void pending() {
        room.standing(this, status -> {
            Client waiting = client;
            if (ended || waiting == null) {
                return;
            }
            park();
            waiting.out()
                    .finish(Words.pending(
                            waiting.id(), target, id, status, caller.settings().hold()));
            waiting.done().accept(this);
        });
    }

    /** Stays, without anybody waiting, until the caller calls again. */
    private void park() {
        client = null;
        unschedule();
        room.parked().park(this);
        if (!marked) {
            marked = true;
            room.remark(
                    caller.only("mcpx.status.proposal"),
                    "status",
                    id,
                    Map.of("status", "queued", "note", Words.WILL_CALL_AGAIN));
        }
    }

    /** The caller has called again. */
    void takeUp(Client again) {
        client = again;
        if (ended) {
            room.ending(this, this::deliver);
        } else {
            await();
        }
    }

    /** Something happened to its proposal. */
    void happened(Change change) {
        Proposal after = change.after();
        if (change.step().event() instanceof Fulfilled fulfilled) {
            request = fulfilled.sent().id();
            runners = fulfilled.sent().to();
            if (givenUp != null) {
                cancelRun(givenUp);
            }
        }
        Ending.of(after).ifPresentOrElse(this::end, this::moved);
    }

    private void moved() {
        Client waiting = client;
        if (taken && waiting != null) {
            if (waiting.progress() != null) {
                refresh();
            } else if (request != null) {
                // Decided: what is waited for now is the tool, whose time the hold is not meant for.
                unschedule();
            }
        }
    }

    private void end(Ending ending) {
        if (ended) {
            return;
        }
        ended = true;
        unschedule();
        if (room.parked().holds(this)) {
            schedule(KEPT_MILLIS, this::over);
            return;
        }
        over();
        if (givenUp != null) {
            if (ending instanceof Ending.Done) {
                room.notForwarded(id, givenUp);
            }
        } else {
            deliver(ending);
        }
    }

    private void deliver(Ending ending) {
        answer(c -> Words.ending(c.id(), target, id, ending));
    }

    private void over() {
        unschedule();
        room.forget(this);
    }

    private void answer(Function<Client, Message> message) {
        Client waiting = client;
        if (waiting == null) {
            return;
        }
        if (caller.membership().over()) {
            // Whoever was taken out of the topic hears nothing more of it.
            waiting.out().end();
        } else {
            waiting.out().finish(message.apply(waiting));
        }
        waiting.done().accept(this);
    }

    /** Whoever runs it has answered; only for calls without a proposal. */
    void answered(Envelope response) {
        ended = true;
        over();
        if (givenUp == null) {
            deliver(new Ending.Done(Payloads.of(response)));
        }
    }

    /** Whoever runs it says how far it is. */
    void progressed(Json params) {
        Client waiting = client;
        if (!ended && waiting != null && waiting.progress() != null) {
            waiting.out().send(waiting.progress().tool(params));
            if (proposed) {
                schedule(TICK_MILLIS, this::tick);
            }
        }
        if (!ended && !proposed) {
            schedule(SILENT_MILLIS, this::silent);
        }
    }

    /** Whoever runs it has left; of proposals the ledger tells. */
    void runnerLeft() {
        if (!ended && !proposed) {
            fail("'" + runner() + "' left before it answered; whether " + target.called() + " was done is unknown.");
        }
    }

    private void silent() {
        cancelRun("no answer in time");
        fail("'" + runner() + "' did not answer in time; whether " + target.called() + " was done is unknown.");
    }

    private void fail(String why) {
        ended = true;
        over();
        answer(c -> RpcError.UNAVAILABLE.failure(c.id(), why));
    }

    /** The client's connection broke: it may come back for a moment. */
    @SuppressWarnings("FutureReturnValueIgnored") // whoever has come back by then is seen there
    void lost() {
        Client waiting = client;
        if (waiting != null) {
            room.topic()
                    .loop()
                    .schedule(
                            () -> {
                                if (waiting.equals(client)
                                        && !waiting.out().read()
                                        && !waiting.out().over()) {
                                    abandoned();
                                }
                            },
                            RETURN_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    private void abandoned() {
        Client gone = client;
        if (proposed && !ended && caller.settings().keep()) {
            park();
        } else {
            stop("the caller's connection was lost");
        }
        if (gone != null) {
            gone.done().accept(this);
        }
    }

    /** The answer could not be handed over: the client had gone. */
    void undelivered() {
        if (proposed && ended) {
            room.notForwarded(id, "the caller's connection was lost");
        }
    }

    /** Nobody wants it any more. */
    void cancel(String why) {
        Client waiting = client;
        stop(why);
        if (waiting != null) {
            waiting.out().end();
            waiting.done().accept(this);
        }
    }

    private void stop(String why) {
        givenUp = why;
        client = null;
        unschedule();
        if (ended || !taken) {
            return;
        }
        if (request != null) {
            cancelRun(why);
            if (!proposed) {
                ended = true;
                over();
            }
        } else {
            Member withdrawing = caller.only("mcpx.withdraw.proposal");
            room.remark(withdrawing, "withdraw", id, Map.of("reason", why));
        }
    }

    private void cancelRun(String why) {
        if (request != null) {
            room.cancelRun(caller, request, runners, why);
        }
    }
}
