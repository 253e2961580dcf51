package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.CallerStatusNote;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.JoinableProposalRule;
import dev.gavel.gateway.proposal.ProposalEvent.CallerDisconnected;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.store.ProposalPage;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcpx.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Loads a caller's unfinished calls and undelivered results from the ledger, so that repeated calls join them after a
 * restart, a crash, or in another gateway process. Confined to the topic's loop.
 */
final class PendingCallLoader {
    private static final int MAX_OPEN = 1_000;
    private static final int PAGE = 100;

    private final TopicCalls topicCalls;

    /** The loads by caller, running or complete. */
    private final Map<String, CompletableFuture<Void>> loadsByCaller = new HashMap<>();

    PendingCallLoader(TopicCalls topicCalls) {
        this.topicCalls = topicCalls;
    }

    /**
     * Loads the calls of a caller that is about to propose. If there are other processes, this reads the ledger each
     * time: a pending response of another process may not be known here yet, and a second proposal could be approved
     * beside the first.
     */
    CompletableFuture<Void> load(FacadeCaller caller) {
        return topicCalls.hasOtherProcesses() ? loadFromLedger(caller) : loadOnce(caller);
    }

    /**
     * Loads the calls of a caller that may make the call directly, and so has few proposals. Reads the ledger once and
     * then relies on the events received here. {@link #load} uses it too if there are no other processes.
     */
    CompletableFuture<Void> loadOnce(FacadeCaller caller) {
        if (topicCalls.staleCallers().remove(caller.id())) {
            loadsByCaller.remove(caller.id());
        }
        CompletableFuture<Void> load = loadsByCaller.get(caller.id());
        return load == null ? loadFromLedger(caller) : load;
    }

    private CompletableFuture<Void> loadFromLedger(FacadeCaller caller) {
        CompletableFuture<Void> loaded = new CompletableFuture<>();
        loadsByCaller.put(caller.id(), loaded);
        topicCalls
                .proposalQueries()
                .ifPresentOrElse(
                        // The newest proposals in any state, and then all open ones.
                        proposalQueries -> new LedgerScan(caller, proposalQueries, Optional.empty(), loaded)
                                .loadPage(
                                        Optional.empty(),
                                        PAGE,
                                        () -> new LedgerScan(
                                                        caller,
                                                        proposalQueries,
                                                        Optional.of(ProposalState.OPEN),
                                                        loaded)
                                                .loadPage(Optional.empty(), MAX_OPEN, () -> loaded.complete(null))),
                        () -> loaded.complete(null));
        return loaded;
    }

    /** One scan of a caller's proposals. */
    private final class LedgerScan {
        private final FacadeCaller caller;
        private final ProposalQueries proposalQueries;
        private final Optional<ProposalState> state;
        private final CompletableFuture<Void> done;

        LedgerScan(
                FacadeCaller caller,
                ProposalQueries proposalQueries,
                Optional<ProposalState> state,
                CompletableFuture<Void> loaded) {
            this.caller = caller;
            this.proposalQueries = proposalQueries;
            this.state = state;
            this.done = loaded;
        }

        void loadPage(Optional<String> cursor, int remaining, Runnable then) {
            topicCalls.whenCompleteOnLoop(
                    proposalQueries.list(caller.member(), state, Optional.of(caller.id()), cursor, PAGE),
                    proposalPage -> {
                        proposalPage.ifPresent(
                                found -> found.proposals().forEach(view -> restoreIfPending(caller, view)));
                        proposalPage
                                .flatMap(ProposalPage::nextCursor)
                                .filter(nextCursor -> remaining > PAGE)
                                .ifPresentOrElse(
                                        nextCursor -> loadPage(Optional.of(nextCursor), remaining - PAGE, then), then);
                    },
                    failure -> {
                        loadsByCaller.remove(caller.id(), done);
                        done.completeExceptionally(failure);
                    });
        }
    }

    /** Restores a call if equal calls join it. */
    private void restoreIfPending(FacadeCaller caller, ProposalView view) {
        // This process may not know yet that another one has delivered the result. Then an equal call is a new one.
        if (ProposalSnapshot.of(view.timeline()).isForwarded()) {
            topicCalls.joinableCalls().stopJoining(caller.id(), view.id());
        }
        if (topicCalls.isRegistered(view.id())) {
            return;
        }
        Optional<CallerStatusNote> note = CallerStatusNote.latest(view.timeline(), view.proposer());
        boolean toldToCallAgain =
                note.filter(CallerStatusNote.WILL_CALL_AGAIN::equals).isPresent();
        boolean task = TopicCalls.isTaskId(view.id())
                || note.filter(CallerStatusNote.HELD_AS_TASK::equals).isPresent();
        boolean joinable =
                caller.settings().joinsRepeatedCalls() && (task || WaitingProposalId.recordsDelivery(view.id()));
        boolean kept = caller.settings().keepOnDisconnect()
                && WaitingProposalId.recordsDelivery(view.id())
                && isCallerLost(view.timeline());
        if ((toldToCallAgain || joinable || kept)
                && !topicCalls.uncollectedResults().contains(caller.id(), view.id())) {
            restore(caller, view, true);
        }
    }

    /**
     * Returns the call that is in progress for a caller's proposal, even if equal calls do not join it. Empty if it has
     * ended.
     */
    Optional<PendingCall> findOrRestore(FacadeCaller caller, ProposalView view) {
        restoreIfPending(caller, view);
        if (!topicCalls.isRegistered(view.id())
                && topicCalls.resultOf(ProposalSnapshot.of(view.timeline())).isEmpty()) {
            restore(caller, view, false);
        }
        return topicCalls.find(view.id());
    }

    /** Returns the key of the call that a proposal is for. Empty if no MCP client made the proposal. */
    static Optional<CallDeduplicationKey> keyOf(FacadeCaller caller, ProposalView view) {
        Kind kind = view.kind();
        if (view.to().size() != 1 || kind.method() == null) {
            return Optional.empty();
        }
        String params =
                RawJsonEditor.at(view.fullPayload().toString(), "params").orElse("{}");
        return Optional.of(CallDeduplicationKey.of(
                caller.id(), new CallTarget(view.to().getFirst(), kind.method(), kind.context()), params));
    }

    /** Whether the caller lost its connection and has not called again, as far as the ledger says. */
    private static boolean isCallerLost(List<ProposalTimelineEntry> timeline) {
        return timeline.reversed().stream()
                .map(ProposalTimelineEntry::event)
                .filter(event -> event instanceof CallerDisconnected
                        || event instanceof CallerWaits
                        || event instanceof NotForwarded)
                .findFirst()
                .filter(event -> event instanceof CallerDisconnected
                        || (event instanceof NotForwarded notForwarded
                                && notForwarded.reason().equals(CallResponseFactory.REASON_CONNECTION_LOST)))
                .isPresent();
    }

    /**
     * Restores a call in progress, or a result.
     *
     * @param joinable whether equal calls join it
     */
    private void restore(FacadeCaller caller, ProposalView view, boolean joinable) {
        Optional<CallDeduplicationKey> key = keyOf(caller, view);
        ProposalSnapshot proposalSnapshot = ProposalSnapshot.of(view.timeline());
        Optional<CallerStatusNote> note = CallerStatusNote.latest(view.timeline(), view.proposer());
        boolean toldToCallAgain =
                note.filter(CallerStatusNote.WILL_CALL_AGAIN::equals).isPresent();
        boolean taskId = TopicCalls.isTaskId(view.id());
        if (key.isEmpty()) {
            return;
        }
        if (topicCalls.resultOf(proposalSnapshot).isEmpty()) {
            PendingCall call = new PendingCall(topicCalls, caller, key.get(), view.id(), true).markProposedElsewhere();
            if (toldToCallAgain) {
                call.markToldToCallAgain();
            }
            if (taskId || note.filter(CallerStatusNote.HELD_AS_TASK::equals).isPresent()) {
                call.markHeldAsTask();
            }
            topicCalls.register(call);
            if (joinable) {
                topicCalls.joinableCalls().add(call);
            }
            call.onProposalLoaded(proposalSnapshot);
            topicCalls.refresh(call);
        } else if (!taskId && JoinableProposalRule.isJoinable(proposalSnapshot)) {
            Fulfilment fulfilment = proposalSnapshot.fulfilment();
            topicCalls
                    .uncollectedResults()
                    .add(
                            key.get(),
                            view.id(),
                            fulfilment == null ? proposalSnapshot.stateSince() : fulfilment.outcomeSince(),
                            UncollectedResults.retention(toldToCallAgain, caller.settings()));
        }
    }
}
