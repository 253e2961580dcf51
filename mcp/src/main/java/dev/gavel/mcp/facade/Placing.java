package dev.gavel.mcp.facade;

import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Decides how a call is placed: sent where the caller may send it, proposed where they may only propose, refused where they
 * may neither. Parameters are passed on as they were written, and never read as a whole. Confined to the topic's loop.
 */
final class Placing {
    private static final int MOST_RECALLED = 100;
    private static final int MOST_UNDER_WAY = 50_000;

    private final Room room;

    /** Whose parked proposals were read from the ledger, or are being read. */
    private final Map<String, CompletableFuture<Void>> recalled = new HashMap<>();

    Placing(Room room) {
        this.room = room;
    }

    /** Where a call comes from. */
    interface Origin {
        /** It is under way. */
        void placed(Call call);

        /** It is not; this is the answer. */
        void refused(Message answer);
    }

    /** Places a call that is the caller's own to make or to propose. */
    void place(Caller caller, Target target, String params, Client client, Origin origin) {
        Kind request = target.request();
        if (gone(caller, client)) {
            return;
        }
        if (!caller.concernedWith(request)) {
            origin.refused(RpcError.FORBIDDEN.failure(client.id(), missing(caller, request)));
            return;
        }
        String sending = room.id('q');
        Payload asRequest = request(sending, target, params(params, target, client, sending));
        boolean maySend = caller.member().capabilities().admits(request, asRequest);
        String id = maySend ? sending : room.id(Orphans.LETTER);
        Payload payload = maySend ? asRequest : proposal(target, params(params, target, client, id));
        if (!maySend
                && !(caller.ledger()
                        && caller.member().capabilities().admits(request.withOperation("proposal"), payload))) {
            origin.refused(RpcError.FORBIDDEN.failure(client.id(), missing(caller, request)));
        } else if (room.underWay() >= MOST_UNDER_WAY) {
            origin.refused(RpcError.BUSY.failure(client.id(), "Too many calls are under way here; try again later."));
        } else if (!caller.ledger()) {
            send(caller, CallKey.plain(caller.id(), target), client, origin, id, payload);
        } else {
            room.onLoop(
                    recall(caller),
                    done -> {
                        CallKey key = maySend && !room.parked().anyOf(caller.id())
                                ? CallKey.plain(caller.id(), target)
                                : CallKey.of(caller.id(), target, params);
                        if (!gone(caller, client) && !takenUp(key, client, origin, maySend)) {
                            if (maySend) {
                                send(caller, key, client, origin, id, payload);
                            } else {
                                propose(caller, key, client, origin, id, payload);
                            }
                        }
                    },
                    failure -> origin.refused(
                            RpcError.UNAVAILABLE.failure(client.id(), "The ledger cannot be read now; try again.")));
        }
    }

    /** Sends a request that stands for no call of its own, such as one for completions. */
    void pass(Caller caller, Target target, String params, Client client, Origin origin) {
        if (!gone(caller, client)) {
            String id = room.id('q');
            Call call = new Call(room, caller, CallKey.plain(caller.id(), target), id, false, client);
            origin.placed(call);
            Payload payload = request(id, target, params(params, target, client, id));
            room.begin(
                    call,
                    caller.only("mcp.request." + target.method()),
                    envelope(id, target.request(), target, payload));
        }
    }

    /** Whether nobody waits for it any more: called off, or taken out of the topic. */
    private static boolean gone(Caller caller, Client client) {
        if (caller.membership().over()) {
            client.out().end();
        }
        return client.out().over();
    }

    /** Takes up a call that was left pending. One that may be made at once by now is withdrawn, and made. */
    private boolean takenUp(CallKey key, Client client, Origin origin, boolean maySend) {
        Optional<Call> waiting = room.parked().find(key);
        if (waiting.isEmpty()) {
            return false;
        }
        if (maySend && waiting.get().undecided()) {
            waiting.get().cancel("the caller may do it at once by now");
            return false;
        }
        origin.placed(waiting.get());
        waiting.get().takeUp(client);
        return true;
    }

    private void send(Caller caller, CallKey key, Client client, Origin origin, String id, Payload payload) {
        Call call = new Call(room, caller, key, id, false, client);
        origin.placed(call);
        room.begin(call, caller.member(), envelope(id, key.target().request(), key.target(), payload));
    }

    private void propose(Caller caller, CallKey key, Client client, Origin origin, String id, Payload payload) {
        Call call = new Call(room, caller, key, id, true, client);
        origin.placed(call);
        room.begin(
                call,
                caller.member(),
                envelope(id, key.target().request().withOperation("proposal"), key.target(), payload));
    }

    static String missing(Caller caller, Kind request) {
        return "You may neither call nor propose " + (request.context() == null ? request.method() : request.context())
                + " like this. Ask whoever runs this gateway for the capability '" + request + "'"
                + (caller.ledger() ? ", or for '" + request.withOperation("proposal") + "' to propose it." : ".");
    }

    /** What the server is sent: its own name for the thing, and a token of ours for progress. */
    private static String params(String params, Target target, Client client, String id) {
        String named = target.name() == null || target.method().startsWith("resources/")
                ? params
                : RawJson.replaced(params, Json.ofText(target.name()).raw(), "name")
                        .orElse(params);
        return client.progress() == null
                ? named
                : RawJson.replaced(named, Json.ofText(id).raw(), "_meta", "progressToken")
                        .orElse(named);
    }

    private static Payload request(String id, Target target, String params) {
        return payload("{\"jsonrpc\":\"2.0\",\"id\":" + Json.ofText(id).raw() + ",\"method\":"
                + Json.ofText(target.method()).raw() + ",\"params\":" + params + "}");
    }

    private static Payload proposal(Target target, String params) {
        return payload("{\"method\":" + Json.ofText(target.method()).raw() + ",\"params\":" + params + "}");
    }

    private static Payload payload(String json) {
        return Payload.of(json.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] envelope(String id, Kind kind, Target target, Payload payload) {
        return EnvelopeDraft.of(id, kind)
                .addressed(List.of(target.participant()))
                .encode(Spelling.CURRENT, payload);
    }

    /**
     * Finds the proposals whose proposers were told to call again, before this process began. Of those that ended since
     * nobody knows whether they were fetched, so calling again proposes anew; a person will see to that.
     */
    private CompletableFuture<Void> recall(Caller caller) {
        CompletableFuture<Void> known = recalled.get(caller.id());
        if (known != null) {
            return known;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        recalled.put(caller.id(), done);
        room.records()
                .ifPresentOrElse(
                        records -> room.onLoop(
                                records.list(
                                        caller.member(),
                                        Optional.of(ProposalState.OPEN),
                                        Optional.of(caller.id()),
                                        Optional.empty(),
                                        MOST_RECALLED),
                                listing -> {
                                    listing.ifPresent(found -> found.proposals().forEach(view -> recall(caller, view)));
                                    done.complete(null);
                                },
                                failure -> {
                                    recalled.remove(caller.id());
                                    done.completeExceptionally(failure);
                                }),
                        () -> done.complete(null));
        return done;
    }

    private void recall(Caller caller, ProposalView view) {
        Kind kind = view.kind();
        if (Words.saysWillCallAgain(view)
                && view.to().size() == 1
                && kind.method() != null
                && !room.follows(view.id())) {
            String params = RawJson.at(view.payload().toString(), "params").orElse("{}");
            Target target = new Target(view.to().getFirst(), kind.method(), kind.context());
            Call call =
                    new Call(room, caller, CallKey.of(caller.id(), target, params), view.id(), true, null).recalled();
            room.follow(call);
            room.parked().park(call);
        }
    }
}
