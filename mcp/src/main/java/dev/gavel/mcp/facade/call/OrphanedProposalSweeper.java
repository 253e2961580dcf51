package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.CallerStatusNote;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.gateway.store.ProposalPage;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.SystemMessage;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records that the callers of open proposals have lost their connections if the MCP clients did not reconnect after their
 * gateway process ended: a call without a waiting caller must not run, unless the caller is known to call again. If the
 * caller cannot resume its call, withdraws the proposal. Several processes may do so for a proposal; the ledger accepts
 * only one of the events. Confined to the topic's loop.
 */
public final class OrphanedProposalSweeper {
    /** Clients get as long to return as after any other broken connection, plus the time to notice it. */
    private static final long GRACE_MILLIS = 20_000;

    private static final long CHECK_MILLIS = 5_000;

    private static final int PAGE = 200;

    private static final Member GATEWAY =
            new Member(SystemMessage.GATEWAY, CapabilitySet.compile(List.of()).orThrow());

    private final TopicCalls topicCalls;
    private final Bus bus;
    private final Function<String, PendingCallSettings> settings;

    /**
     * The other processes at which clients wait or waited. The value counts the consecutive checks that found the
     * process absent.
     */
    private final Map<String, Integer> absentChecks = new HashMap<>();

    /** Whether all open proposals were checked once, and all that followed was recorded. */
    private boolean initialScanDone;

    private boolean scanning;

    /**
     * Creates a sweeper for a topic.
     *
     * @param settings returns the settings of a member for waiting calls
     */
    public OrphanedProposalSweeper(TopicCalls topicCalls, Bus bus, Function<String, PendingCallSettings> settings) {
        this.topicCalls = topicCalls;
        this.bus = bus;
        this.settings = settings;
    }

    /** Returns the process at which the proposal's caller waits, or waited last. Empty if the caller waits nowhere. */
    private static Optional<String> waitingProcess(ProposalView view) {
        return WaitingProposalId.firstProcess(view.id())
                .map(first -> view.timeline().reversed().stream()
                        .map(ProposalTimelineEntry::event)
                        .filter(CallerWaits.class::isInstance)
                        .map(event -> ((CallerWaits) event).process())
                        .findFirst()
                        .orElse(first));
    }

    /**
     * Checks all open proposals, and again whenever another process has ended. If there can be no other process, the
     * first check is delayed, so that callers of an earlier process have had time to return.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process ends first
    public void start() {
        topicCalls.proposalQueries().ifPresent(proposalQueries -> {
            EventExecutor loop = topicCalls.topic().loop();
            loop.scheduleWithFixedDelay(
                    () -> checkProcesses(proposalQueries),
                    topicCalls.hasOtherProcesses() ? 0 : GRACE_MILLIS,
                    CHECK_MILLIS,
                    TimeUnit.MILLISECONDS);
        });
    }

    /** Notes the process at which the caller of a proposal waits. */
    public void onProposalChange(AppliedProposalEvent change) {
        Optional<String> process = switch (change.entry().event()) {
            case Proposed _ -> WaitingProposalId.firstProcess(change.after().id());
            case CallerWaits(String newProcess) -> Optional.of(newProcess);
            default -> Optional.empty();
        };
        process.filter(found -> !found.isEmpty() && !found.equals(bus.processId()))
                .ifPresent(found -> absentChecks.put(found, 0));
    }

    /**
     * Counts absent processes, and checks the open proposals if one has ended. If that fails, the next check repeats it.
     * No process counts as absent while the bus is unavailable.
     */
    private void checkProcesses(ProposalQueries proposalQueries) {
        boolean available = bus.isAvailable();
        absentChecks.replaceAll((process, checks) -> available && !bus.isAlive(process) ? checks + 1 : 0);
        Set<String> endedProcesses = absentChecks.entrySet().stream()
                .filter(other -> isGraceOver(other.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        if (!scanning && (!initialScanDone || !endedProcesses.isEmpty())) {
            scanning = true;
            new OpenProposalScan(proposalQueries, endedProcesses).readPage(null);
        }
    }

    private void onScanDone(Set<String> endedProcesses, boolean complete) {
        scanning = false;
        initialScanDone |= complete;
        if (complete) {
            // A process that was noted again in the meantime is watched further.
            endedProcesses.forEach(process ->
                    absentChecks.computeIfPresent(process, (_, checks) -> isGraceOver(checks) ? null : checks));
        }
    }

    private static boolean isGraceOver(int checks) {
        return checks * CHECK_MILLIS > GRACE_MILLIS;
    }

    /** Checks all open proposals once, page by page. */
    private final class OpenProposalScan {
        private final ProposalQueries proposalQueries;
        private final Set<String> endedProcesses;
        private int unfinishedSteps = 1;
        private boolean failed;

        /**
         * Creates a scan.
         *
         * @param endedProcesses the processes that have been absent for long enough
         */
        OpenProposalScan(ProposalQueries proposalQueries, Set<String> endedProcesses) {
            this.proposalQueries = proposalQueries;
            this.endedProcesses = endedProcesses;
        }

        void readPage(@Nullable String cursor) {
            topicCalls.whenCompleteOnLoop(
                    proposalQueries.list(
                            GATEWAY,
                            Optional.of(ProposalState.OPEN),
                            Optional.empty(),
                            Optional.ofNullable(cursor),
                            PAGE),
                    found -> {
                        found.ifPresent(this::handleOrphans);
                        found.flatMap(ProposalPage::nextCursor).ifPresentOrElse(this::readPage, this::finishStep);
                    },
                    this::onFailure);
        }

        private void handleOrphans(ProposalPage proposalPage) {
            for (ProposalView view : proposalPage.proposals()) {
                if (isOrphan(endedProcesses, view)) {
                    unfinishedSteps++;
                    topicCalls.whenCompleteOnLoop(
                            recordCallerDisconnectedOrWithdraw(view), _ -> finishStep(), this::onFailure);
                }
            }
        }

        private void onFailure(Throwable failure) {
            if (!failed) {
                topicCalls.log("The check for proposals that no client waits for failed. It is repeated.", failure);
            }
            failed = true;
            finishStep();
        }

        private void finishStep() {
            unfinishedSteps--;
            if (unfinishedSteps == 0) {
                onScanDone(endedProcesses, !failed);
            }
        }
    }

    private boolean isOrphan(Set<String> endedProcesses, ProposalView view) {
        Optional<String> owner = waitingProcess(view);
        return owner.isPresent()
                && isGone(endedProcesses, owner.get())
                && !topicCalls.hasWaitingClient(view.id())
                && view.callerDisconnection().isEmpty()
                && CallerStatusNote.latest(view.timeline(), view.proposer()).isEmpty();
    }

    /**
     * Whether a process has ended. A process seen for the first time is only watched from then on, because it may be
     * absent for just a moment.
     */
    private boolean isGone(Set<String> endedProcesses, String process) {
        if (process.equals(bus.processId())) {
            return false;
        }
        if (!topicCalls.hasOtherProcesses() || endedProcesses.contains(process)) {
            return true;
        }
        absentChecks.putIfAbsent(process, 0);
        return false;
    }

    private CompletionStage<Void> recordCallerDisconnectedOrWithdraw(ProposalView view) {
        PendingCallSettings callerSettings = settings.apply(view.proposer());
        return callerSettings.lingers()
                ? topicCalls.recordCallerDisconnected(
                        view.id(), waitingProcess(view).orElseThrow(), callerSettings.maxLinger())
                : withdraw(view);
    }

    private CompletionStage<Void> withdraw(ProposalView view) {
        return topicCalls
                .proposalFollowUpSender()
                .withdraw(
                        new Member(
                                view.proposer(),
                                CapabilitySet.compile(List.of("mcpx.withdraw.proposal"))
                                        .orThrow()),
                        view.id(),
                        "the gateway process of the waiting client has ended, and the client has not reconnected");
    }
}
