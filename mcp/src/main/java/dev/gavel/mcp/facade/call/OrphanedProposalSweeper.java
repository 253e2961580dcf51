package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.store.ProposalPage;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.SystemMessage;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Withdraws open proposals whose callers were connected to a gateway process that has ended and have not returned.
 * Nothing is to run for nobody, so they are withdrawn, unless their callers will call again. Several processes may try,
 * and the ledger lets one. Confined to the topic's loop.
 */
public final class OrphanedProposalSweeper {
    /** What the ids of proposals begin with that were made for clients who wait. */
    private static final char ID_PREFIX = 'm';

    /** The process that waits stands at the end; older ids say none. */
    private static final Pattern ID = Pattern.compile(ID_PREFIX + "-[0-9a-f]{22}(?:-([0-9A-Za-z]{1,64}))?");

    /** Clients that come back are given as long as any other whose connection broke, and the time to notice. */
    private static final long GRACE_MILLIS = 20_000;

    private static final long CHECK_MILLIS = 5_000;

    private static final int PAGE = 200;

    private static final Member GATEWAY =
            new Member(SystemMessage.GATEWAY, CapabilitySet.compile(List.of()).orThrow());

    private final TopicCalls topicCalls;
    private final Bus bus;
    private final Predicate<String> keepOnDisconnect;

    /** Other processes at which somebody waits, or did; and of those that are not there, how often that was seen in a row. */
    private final Map<String, Integer> absentChecks = new HashMap<>();

    /** Whether everything that is open was looked at once. */
    private boolean scanned;

    /**
     * The orphans of a topic.
     *
     * @param keeps whether somebody's proposals stay when their connection is lost
     */
    public OrphanedProposalSweeper(TopicCalls topicCalls, Bus bus, Predicate<String> keeps) {
        this.topicCalls = topicCalls;
        this.bus = bus;
        this.keepOnDisconnect = keeps;
    }

    /** The id of a proposal whose caller waits here. */
    static String newProposalId(TopicCalls topicCalls) {
        return topicCalls.newEnvelopeId(ID_PREFIX) + "-" + topicCalls.processId();
    }

    /** Where the caller of a proposal waits; an empty text where nobody knows any more, nothing where nobody waits. */
    static Optional<String> ownerProcess(String proposal) {
        Matcher id = ID.matcher(proposal);
        return id.matches() ? Optional.of(Optional.ofNullable(id.group(1)).orElse("")) : Optional.empty();
    }

    /**
     * Looks at what there is, and from then on whenever another process is gone. Where there can be no other, whoever
     * waited before this one began has had the time to come back when the first look is taken.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it happens, or the process ends before
    public void start() {
        topicCalls.records().ifPresent(proposalQueries -> {
            EventExecutor loop = topicCalls.topic().loop();
            if (topicCalls.hasOtherProcesses()) {
                scanOpenProposals(proposalQueries, Set.of(), null);
                loop.scheduleWithFixedDelay(
                        () -> checkProcesses(proposalQueries), CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
            } else {
                loop.schedule(
                        () -> scanOpenProposals(proposalQueries, Set.of(), null), GRACE_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Somebody has proposed something. */
    public void onProposed(String proposal) {
        ownerProcess(proposal)
                .filter(process -> !process.isEmpty() && !process.equals(bus.process()))
                .ifPresent(process -> absentChecks.putIfAbsent(process, 0));
    }

    /** Nobody is taken for gone while they cannot be heard. */
    private void checkProcesses(ProposalQueries proposalQueries) {
        boolean hears = bus.isAvailable();
        absentChecks.replaceAll((process, looks) -> hears && !bus.isAlive(process) ? looks + 1 : 0);
        Set<String> dead = absentChecks.entrySet().stream()
                .filter(other -> isGraceOver(other.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        absentChecks.keySet().removeAll(dead);
        if (!scanned || !dead.isEmpty()) {
            scanOpenProposals(proposalQueries, dead, null);
        }
    }

    private static boolean isGraceOver(int looks) {
        return looks * CHECK_MILLIS > GRACE_MILLIS;
    }

    /**
     * Looks through all that is open.
     *
     * @param dead the processes that have been gone for long enough
     */
    private void scanOpenProposals(ProposalQueries proposalQueries, Set<String> dead, @Nullable String cursor) {
        topicCalls.whenCompleteOnLoop(
                proposalQueries.list(
                        GATEWAY, Optional.of(ProposalState.OPEN), Optional.empty(), Optional.ofNullable(cursor), PAGE),
                found -> found.ifPresent(proposalPage -> withdrawOrphans(proposalQueries, dead, proposalPage)),
                failure -> topicCalls.log("proposals that nobody waits for could not be looked for", failure));
    }

    private void withdrawOrphans(ProposalQueries proposalQueries, Set<String> dead, ProposalPage proposalPage) {
        proposalPage.proposals().stream().filter(view -> isOrphan(dead, view)).forEach(this::withdraw);
        proposalPage
                .nextCursor()
                .ifPresentOrElse(next -> scanOpenProposals(proposalQueries, dead, next), () -> scanned = true);
    }

    private boolean isOrphan(Set<String> dead, ProposalView view) {
        Optional<String> waits = ownerProcess(view.id());
        return waits.isPresent()
                && isGone(dead, waits.get())
                && !topicCalls.isRegistered(view.id())
                && !keepOnDisconnect.test(view.from())
                && PendingCallNote.latest(view.timeline(), view.from()).isEmpty();
    }

    /** One that is met for the first time is watched from then on: it may only have been away for a moment. */
    private boolean isGone(Set<String> dead, String process) {
        if (process.equals(bus.process())) {
            return false;
        }
        if (!topicCalls.hasOtherProcesses() || dead.contains(process)) {
            return true;
        }
        absentChecks.putIfAbsent(process, 0);
        return false;
    }

    private void withdraw(ProposalView view) {
        topicCalls
                .proposalMessages()
                .withdraw(
                        new Member(
                                view.from(),
                                CapabilitySet.compile(List.of("mcpx.withdraw.proposal"))
                                        .orThrow()),
                        view.id(),
                        "the gateway that the caller waited at has ended, and the caller has not come back");
    }
}
