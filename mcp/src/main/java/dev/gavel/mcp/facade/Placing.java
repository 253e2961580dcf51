package dev.gavel.mcp.facade;

import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
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
 * may neither. Confined to the topic's loop.
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

    /** Places a call that is the caller's own to make or to propose. */
    void place(Caller caller, Target target, Json params, Client client, Placed placed) {
        Kind request = target.request();
        String id = room.id('q');
        Payload payload = request(id, target, params(params, target, client, id));
        if (caller.member().capabilities().admits(request, payload)) {
            send(caller, target, params, client, placed, id, payload);
            return;
        }
        String proposal = room.id(Orphans.LETTER);
        Payload proposing = proposal(target, params(params, target, client, proposal));
        if (caller.ledger() && caller.member().capabilities().admits(request.withOperation("proposal"), proposing)) {
            room.onLoop(
                    recall(caller),
                    done -> propose(caller, target, params, client, placed, proposal, proposing),
                    failure -> refuse(client, RpcError.UNAVAILABLE, "The ledger cannot be read now; try again."));
            return;
        }
        refuse(client, RpcError.FORBIDDEN, missing(caller, request));
    }

    /** Sends a request that stands for no call of its own, such as one for completions: whoever may call may ask. */
    void pass(Caller caller, Target target, Json params, Client client, Placed placed) {
        String id = room.id('q');
        Payload payload = request(id, target, params(params, target, client, id));
        Call call = new Call(room, caller, target, params, id, false, client);
        placed.by(call);
        room.begin(
                call, caller.only("mcp.request." + target.method()), envelope(id, target.request(), target, payload));
    }

    /** Takes the call that a client waits for. */
    @FunctionalInterface
    interface Placed {
        void by(Call call);
    }

    private void send(
            Caller caller, Target target, Json params, Client client, Placed placed, String id, Payload payload) {
        if (full(client)) {
            return;
        }
        Call call = new Call(room, caller, target, params, id, false, client);
        placed.by(call);
        room.begin(call, caller.member(), envelope(id, target.request(), target, payload));
    }

    private void propose(
            Caller caller, Target target, Json params, Client client, Placed placed, String id, Payload payload) {
        if (client.out().over()) {
            // Called off in the meantime.
            return;
        }
        Optional<Call> waiting = room.parked().take(Parked.Key.of(caller.id(), target, params));
        if (waiting.isPresent()) {
            placed.by(waiting.get());
            waiting.get().takeUp(client);
        } else if (!full(client)) {
            Call call = new Call(room, caller, target, params, id, true, client);
            placed.by(call);
            room.begin(
                    call, caller.member(), envelope(id, target.request().withOperation("proposal"), target, payload));
        }
    }

    private boolean full(Client client) {
        if (room.underWay() < MOST_UNDER_WAY) {
            return false;
        }
        refuse(client, RpcError.BUSY, "Too many calls are under way here; try again later.");
        return true;
    }

    private static void refuse(Client client, RpcError error, String why) {
        client.out().finish(error.failure(client.id(), why));
    }

    private static String missing(Caller caller, Kind request) {
        return "You may neither call nor propose " + (request.context() == null ? request.method() : request.context())
                + " like this. Ask whoever runs this gateway for the capability '" + request + "'"
                + (caller.ledger() ? ", or for '" + request.withOperation("proposal") + "' to propose it." : ".");
    }

    /** What the server is sent: its own name for the thing, and a token of ours for progress. */
    private static Json params(Json params, Target target, Client client, String id) {
        Json named = target.name() != null && params.at("name").there()
                ? params.with("name", Json.ofText(target.name()))
                : params;
        return client.progress() == null
                ? named
                : named.with("_meta", named.at("_meta").with("progressToken", Json.ofText(id)));
    }

    private static Payload request(String id, Target target, Json params) {
        return payload("{\"jsonrpc\":\"2.0\",\"id\":" + Json.ofText(id).raw() + ",\"method\":"
                + Json.ofText(target.method()).raw() + ",\"params\":" + params.raw() + "}");
    }

    private static Payload proposal(Target target, Json params) {
        return payload("{\"method\":" + Json.ofText(target.method()).raw() + ",\"params\":" + params.raw() + "}");
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
        return recalled.computeIfAbsent(caller.id(), id -> {
            CompletableFuture<Void> done = new CompletableFuture<>();
            room.records()
                    .ifPresentOrElse(
                            records -> room.onLoop(
                                    records.list(
                                            caller.member(),
                                            Optional.of(ProposalState.OPEN),
                                            Optional.of(id),
                                            Optional.empty(),
                                            MOST_RECALLED),
                                    listing -> {
                                        listing.ifPresent(
                                                found -> found.proposals().forEach(view -> recall(caller, view)));
                                        done.complete(null);
                                    },
                                    failure -> {
                                        recalled.remove(id);
                                        done.completeExceptionally(failure);
                                    }),
                            () -> done.complete(null));
            return done;
        });
    }

    private void recall(Caller caller, ProposalView view) {
        Kind kind = view.kind();
        if (Words.saysWillCallAgain(view)
                && view.to().size() == 1
                && kind.method() != null
                && !room.follows(view.id())) {
            Json params = Json.parse(view.payload().toString())
                    .orElseGet(Json::object)
                    .at("params");
            Target target = new Target(view.to().getFirst(), kind.method(), kind.context());
            Call call = new Call(room, caller, target, params, view.id(), true, null).recalled();
            room.follow(call);
            room.parked().park(call);
        }
    }
}
