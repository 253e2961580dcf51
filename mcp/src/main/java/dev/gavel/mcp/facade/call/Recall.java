package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Records;
import dev.gavel.gateway.docket.Listing;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcpx.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Finds in the ledger what callers were told to call again for, before this process began or by another: what is open, what
 * runs, and what has ended and was not fetched. Confined to the topic's loop.
 */
final class Recall {
    private static final int MOST = 1_000;
    private static final int PAGE = 100;

    private final Room room;

    /** Whose were looked for, or are being looked for. */
    private final Map<String, CompletableFuture<Void>> looked = new HashMap<>();

    Recall(Room room) {
        this.room = room;
    }

    /**
     * Finds those of a caller that is about to propose something. Where there are other processes that is done each time: what
     * they have told this very client need not have been told here yet, and a second proposal might be approved beside the
     * first.
     */
    CompletableFuture<Void> of(Caller caller) {
        return room.shared() ? look(caller) : once(caller);
    }

    /** The same for somebody who hardly has any: what is told of them here will do. */
    CompletableFuture<Void> once(Caller caller) {
        if (room.told().remove(caller.id())) {
            looked.remove(caller.id());
        }
        CompletableFuture<Void> known = looked.get(caller.id());
        return known == null ? look(caller) : known;
    }

    private CompletableFuture<Void> look(Caller caller) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        looked.put(caller.id(), done);
        room.records()
                .ifPresentOrElse(
                        // The newest, whatever became of them, and all that are open.
                        records -> new Look(caller, records, Optional.empty(), done)
                                .page(
                                        Optional.empty(),
                                        PAGE,
                                        () -> new Look(caller, records, Optional.of(ProposalState.OPEN), done)
                                                .page(Optional.empty(), MOST, () -> done.complete(null))),
                        () -> done.complete(null));
        return done;
    }

    /** One look through a caller's proposals. */
    private final class Look {
        private final Caller caller;
        private final Records records;
        private final Optional<ProposalState> state;
        private final CompletableFuture<Void> done;

        Look(Caller caller, Records records, Optional<ProposalState> state, CompletableFuture<Void> done) {
            this.caller = caller;
            this.records = records;
            this.state = state;
            this.done = done;
        }

        void page(Optional<String> cursor, int most, Runnable then) {
            room.onLoop(
                    records.list(caller.member(), state, Optional.of(caller.id()), cursor, PAGE),
                    listing -> {
                        listing.ifPresent(found -> found.proposals().forEach(view -> see(caller, view)));
                        listing.flatMap(Listing::next)
                                .filter(more -> most > PAGE)
                                .ifPresentOrElse(more -> page(Optional.of(more), most - PAGE, then), then);
                    },
                    failure -> {
                        looked.remove(caller.id(), done);
                        done.completeExceptionally(failure);
                    });
        }
    }

    private void see(Caller caller, ProposalView view) {
        Kind kind = view.kind();
        boolean awaitsCall = Mark.last(view.timeline(), view.from())
                .filter(Mark.WILL_CALL_AGAIN::equals)
                .isPresent();
        if (awaitsCall
                && view.to().size() == 1
                && kind.method() != null
                && !room.follows(view.id())
                && !room.uncollected().has(caller.id(), view.id())) {
            String params = RawJson.at(view.payload().toString(), "params").orElse("{}");
            Target target = new Target(view.to().getFirst(), kind.method(), kind.context());
            take(caller, CallKey.of(caller.id(), target, params), Proposal.of(view.timeline()));
        }
    }

    private void take(Caller caller, CallKey key, Proposal proposal) {
        if (Ending.of(proposal).isEmpty()) {
            Call call = new Call(room, caller, key, proposal.id(), true, null).recalled();
            room.follow(call);
            room.parked().park(call);
            call.seen(proposal);
            room.look(call);
        } else if (proposal.state() != ProposalState.WITHDRAWN && !proposal.isForwarded()) {
            Fulfilment call = proposal.fulfilment();
            room.uncollected().add(key, proposal.id(), call == null ? proposal.since() : call.since());
        }
    }
}
