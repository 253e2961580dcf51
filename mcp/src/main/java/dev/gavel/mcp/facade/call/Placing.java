package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Posted;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decides how a call is placed: sent where the caller may send it, proposed where they may only propose, refused where they
 * may neither. Parameters are passed on as they were written, and never read as a whole. Confined to the topic's loop.
 */
public final class Placing {
    private static final int MOST_UNDER_WAY = 50_000;
    private static final String CROWDED = "Too many calls are under way here; try again later.";

    private final Room room;
    private final Recall recall;

    public Placing(Room room) {
        this.room = room;
        this.recall = new Recall(room);
    }

    /** Places a call that is the caller's own to make or to propose. */
    public void place(Caller caller, Target target, String params, Client client) {
        Kind request = target.request();
        if (gone(caller, client)) {
            return;
        }
        if (!caller.concernedWith(request)) {
            client.settle(RpcError.FORBIDDEN.failure(client.id(), missing(caller, request)));
            return;
        }
        String sending = room.id('q');
        Payload asRequest = Letters.request(sending, target, params, client);
        boolean maySend = caller.member().capabilities().admits(request, asRequest);
        boolean handed = client.takesProposals(target.method());
        String id = maySend ? sending : handed ? room.taskId() : room.waitingId();
        Payload payload = maySend ? asRequest : Letters.proposal(id, target, params, client);
        if (!maySend
                && !(caller.ledger()
                        && caller.member().capabilities().admits(request.withOperation("proposal"), payload))) {
            client.settle(RpcError.FORBIDDEN.failure(client.id(), missing(caller, request)));
        } else if (!maySend && Letters.answersQuestions(params)) {
            client.settle(
                    RpcError.INVALID_PARAMS.failure(
                            client.id(),
                            "This call needs approval, and is run as it was approved: leave out 'inputResponses' and 'requestState'."));
        } else if (room.underWay() >= MOST_UNDER_WAY) {
            client.settle(RpcError.BUSY.failure(client.id(), CROWDED));
        } else if (!caller.ledger()) {
            send(caller, CallKey.plain(caller.id(), target), client, id, payload);
        } else {
            room.onLoop(
                    maySend ? recall.once(caller) : recall.of(caller),
                    done -> {
                        boolean pending = room.parked().anyOf(caller.id())
                                || room.uncollected().anyOf(caller.id());
                        CallKey key = maySend && !pending
                                ? CallKey.plain(caller.id(), target)
                                : CallKey.of(caller.id(), target, params);
                        takeUp(caller, key, client, maySend, () -> {
                            if (maySend) {
                                send(caller, key, client, id, payload);
                            } else if (handed) {
                                hand(caller, key, client, id, payload);
                            } else {
                                propose(caller, key, client, id, payload);
                            }
                        });
                    },
                    failure -> client.settle(
                            RpcError.UNAVAILABLE.failure(client.id(), "The ledger cannot be read now; try again.")));
        }
    }

    /** Sends a request that stands for no call of its own, such as one for completions. */
    public void pass(Caller caller, Target target, String params, Client client) {
        if (room.underWay() >= MOST_UNDER_WAY) {
            client.settle(RpcError.BUSY.failure(client.id(), CROWDED));
        } else if (!gone(caller, client)) {
            String id = room.id('q');
            Call call = new Call(room, caller, CallKey.plain(caller.id(), target), id, false, client);
            client.placed(call);
            Payload payload = Letters.request(id, target, params, client);
            room.begin(
                    call,
                    caller.only("mcp.request." + target.method()),
                    Letters.envelope(id, target.request(), target, payload));
        }
    }

    /** Sends such a request for somebody who may be gone already, and for whose answer nobody waits. */
    public void tell(Caller caller, Target target) {
        String id = room.id('q');
        String params = "{\"uri\":" + Json.ofText(target.called()).raw() + "}";
        Payload payload = Letters.request(id, target, params, null);
        room.onLoop(
                room.dispatch(
                        caller.only("mcp.request." + target.method()),
                        Letters.envelope(id, target.request(), target, payload)),
                posted -> {},
                failure -> room.log("a server could not be told", failure));
    }

    /** Whether nobody waits for it any more: called off, or taken out of the topic. */
    private static boolean gone(Caller caller, Client client) {
        if (caller.membership().over() && !client.out().over()) {
            client.settle(RpcError.FORBIDDEN.failure(client.id(), "You are no member of this topic any more."));
        }
        return client.out().over();
    }

    /**
     * Takes up a call that was left pending, or hands out what became of it. One that may be made at once by now is withdrawn,
     * and made.
     *
     * @param otherwise run where there is none
     */
    private void takeUp(Caller caller, CallKey key, Client client, boolean maySend, Runnable otherwise) {
        if (gone(caller, client)) {
            return;
        }
        Optional<String> ended = room.uncollected().take(key, room.now());
        Optional<Call> waiting = room.parked().find(key);
        if (ended.isPresent()) {
            fetch(caller, key, client, ended.get(), () -> takeUp(caller, key, client, maySend, otherwise));
        } else if (waiting.isEmpty()) {
            otherwise.run();
        } else if (maySend && waiting.get().undecided()) {
            waiting.get().cancel("the caller may do it at once by now");
            otherwise.run();
        } else if (client.takesProposals(key.target().method())) {
            waiting.get().handOver();
            client.proposed(waiting.get().id());
        } else {
            client.placed(waiting.get());
            waiting.get().takeUp(client);
        }
    }

    /**
     * Hands out what became of a proposal, once in all processes.
     *
     * @param otherwise run where it was handed out before
     */
    private void fetch(Caller caller, CallKey key, Client client, String proposal, Runnable otherwise) {
        Consumer<Throwable> failed = failure -> {
            room.uncollected().add(key, proposal, room.now());
            client.settle(RpcError.UNAVAILABLE.failure(client.id(), "The ledger is away; call again for the result."));
        };
        room.ending(
                caller,
                proposal,
                ending -> room.handOut(
                        proposal,
                        first -> {
                            if (!first) {
                                otherwise.run();
                            } else if (client.out().over()) {
                                room.remarks().notForwarded(proposal, Words.LEFT);
                            } else if (client.takesProposals(key.target().method())) {
                                client.proposed(proposal);
                            } else {
                                client.settle(Words.ending(client.id(), key.target(), proposal, ending));
                            }
                        },
                        failed),
                failed);
    }

    private void send(Caller caller, CallKey key, Client client, String id, Payload payload) {
        Call call = new Call(room, caller, key, id, false, client);
        client.placed(call);
        room.begin(call, caller.member(), Letters.envelope(id, key.target().request(), key.target(), payload));
    }

    private void propose(Caller caller, CallKey key, Client client, String id, Payload payload) {
        Call call = new Call(room, caller, key, id, true, client);
        client.placed(call);
        room.begin(
                call,
                caller.member(),
                Letters.envelope(id, key.target().request().withOperation("proposal"), key.target(), payload));
    }

    /** Proposes for a client that does not wait: nothing here remembers it, but the ledger does. */
    private void hand(Caller caller, CallKey key, Client client, String id, Payload payload) {
        Kind kind = key.target().request().withOperation("proposal");
        room.onLoop(
                room.dispatch(caller.member(), Letters.envelope(id, kind, key.target(), payload)),
                posted -> {
                    switch (posted) {
                        case Posted.Refused(var failures) -> client.settle(Failures.answer(client.id(), failures));
                        case Posted.Taken _ -> {
                            if (client.out().over()) {
                                room.remarks().callOff(caller, id, Words.UNTOLD);
                            } else {
                                client.proposed(id);
                            }
                        }
                    }
                },
                failure -> {
                    room.log("a proposal failed", failure);
                    client.settle(RpcError.INTERNAL.failure(client.id(), Words.FAILED));
                });
    }

    public static String missing(Caller caller, Kind request) {
        return "You may neither call nor propose " + (request.context() == null ? request.method() : request.context())
                + " like this. Ask whoever runs this gateway for the capability '" + request + "'"
                + (caller.ledger() ? ", or for '" + request.withOperation("proposal") + "' to propose it." : ".");
    }
}
