package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ApprovalDraft;
import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalGuidanceBuilder;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.ProposalVisibility;
import dev.gavel.gateway.proposal.ProposedToolStatus;
import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.ToolListState;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one topic's proposals and their events from the ledger; blocks on disk. Do not call it on an event loop. Throws
 * {@link dev.gavel.ledger.LedgerException} if the ledger cannot be read. Thread-safe.
 */
public final class ProposalReader {
    private static final Logger log = LoggerFactory.getLogger(ProposalReader.class);

    private static final int PAGE_SIZE = 500;

    /** The approximate size limit of one page; a page ends early rather than exceed it. */
    private static final long MAX_PAGE_BYTES = 2 * 1024 * 1024;

    private final String topic;
    private final Supplier<ProposalDecider> decider;
    private final LedgerReader ledger;
    private final ToolBaselineStore toolBaselines;

    ProposalReader(
            String topic, Supplier<ProposalDecider> decider, LedgerReader ledger, ToolBaselineStore toolBaselines) {
        this.topic = topic;
        this.decider = decider;
        this.ledger = ledger;
        this.toolBaselines = toolBaselines;
    }

    /** The last seq of the topic. */
    public long lastSeq() {
        return ledger.retainedRange(topic).last();
    }

    /** Returns the next messages after a seq. */
    public MessageReplayResult replayAfter(long seq) {
        return new ProposalEventChunkReader(
                        ledger, topic, messageAccess(decider.get().settings().secrets()))
                .after(seq);
    }

    UnpublishedEventReader unpublishedEventReader() {
        return new UnpublishedEventReader(ledger, topic, decider, messageAccess(SecretArgumentPatterns.NONE));
    }

    private ProposalMessageAccess messageAccess(SecretArgumentPatterns addedSecrets) {
        return new ProposalMessageAccess(
                this::readers, id -> proposal(id).map(ProposalSnapshot::payload), addedSecrets);
    }

    /**
     * Returns the most recent events after a seq that a member may read, in order: at most {@code limit}, and fewer if
     * they are very long.
     */
    public List<RecentProposalEvent> recentEvents(long after, int limit, String member) {
        Map<String, Boolean> visible = new HashMap<>();
        Map<String, MemberNames> names = new HashMap<>();
        return new RecentEventsReader(ledger, topic)
                .after(after, limit).stream()
                        .filter(event -> visible.computeIfAbsent(
                                event.proposal(),
                                id -> readers(id)
                                        .map(members -> members.contains(member))
                                        .orElse(true)))
                        .map(event ->
                                event.withNames(names.computeIfAbsent(event.proposal(), id -> namesFor(id, member))))
                        .toList();
    }

    /**
     * Returns the names by which texts for a member call the caller of an approved call.
     *
     * @param proposal the id of the proposal; if it is no longer stored, its proposer is not known, so only the caller
     *     itself learns who approved it
     */
    public MemberNames namesForRun(String proposal, String caller, String member) {
        ProposalDecider currentDecider = decider.get();
        if (currentDecider.settings().showApprovers() || caller.equals(member)) {
            return currentDecider.names();
        }
        return proposal(proposal)
                .map(proposalSnapshot -> currentDecider.namesFor(proposalSnapshot, member))
                .orElseGet(() -> currentDecider.names().hiding(Set.of(caller)));
    }

    private MemberNames namesFor(String id, String member) {
        ProposalDecider currentDecider = decider.get();
        return currentDecider.settings().showApprovers()
                ? currentDecider.names()
                : proposal(id)
                        .map(proposalSnapshot -> currentDecider.namesFor(proposalSnapshot, member))
                        .orElseGet(currentDecider::names);
    }

    /** Returns the members that may read about a proposal; empty if all members may. */
    private Optional<Set<String>> readers(String id) {
        ProposalDecider currentDecider = decider.get();
        return currentDecider.settings().visibility() == ProposalVisibility.MEMBERS
                ? Optional.empty()
                : Optional.of(proposal(id).flatMap(currentDecider::readers).orElse(Set.of()));
    }

    private boolean isVisible(ProposalSnapshot proposalSnapshot, Viewer viewer) {
        return decider.get()
                .readers(proposalSnapshot)
                .map(members -> members.contains(viewer.member()))
                .orElse(true);
    }

    /** Loads all proposals that time or presence can still change, the open ones first, oldest first. */
    public List<InMemoryPendingProposal> loadPending() {
        Map<String, InMemoryPendingProposal> inMemoryPendingProposals = new LinkedHashMap<>();
        SubjectQuery open = SubjectQuery.of(topic).open(true).order(SubjectQuery.Order.OLDEST_FIRST);
        @Nullable String cursor = null;
        do {
            SubjectPage page = ledger.subjects(open, cursor, PAGE_SIZE);
            page.subjects().forEach(summary -> put(inMemoryPendingProposals, summary));
            cursor = page.nextCursor();
        } while (cursor != null);
        ledger.dueSubjects(topic, Instant.MAX, Integer.MAX_VALUE)
                .forEach(summary -> put(inMemoryPendingProposals, summary));
        return List.copyOf(inMemoryPendingProposals.values());
    }

    private void put(Map<String, InMemoryPendingProposal> inMemoryPendingProposals, SubjectSummary summary) {
        if (inMemoryPendingProposals.containsKey(summary.subject())) {
            return;
        }
        try {
            proposal(summary.subject())
                    .ifPresent(proposalSnapshot -> inMemoryPendingProposals.put(
                            proposalSnapshot.id(), InMemoryPendingProposal.of(proposalSnapshot, decider.get())));
        } catch (LedgerException e) {
            if (e.getCause() instanceof SQLException) {
                // The database fails now. The caller that opens the topic retries; otherwise the proposal would stay
                // untracked.
                throw e;
            }
            // The other proposals can still be loaded; an export shows the content of this one.
            log.atError()
                    .addKeyValue("topic", topic)
                    .addKeyValue("proposal", summary.subject())
                    .log("A proposal cannot be read and is skipped: {}", e.getMessage());
        }
    }

    private Optional<ProposalSnapshot> proposal(String id) {
        return ProposalLedgerMapper.toProposal(ledger.history(topic, id));
    }

    /** Returns a proposal as a member sees it; empty if the member may not read it. */
    public Optional<ProposalView> view(String id, Viewer viewer) {
        return view(id, ApprovalDraft.AS_PROPOSED, viewer);
    }

    /** As {@link #view(String, Viewer)}, with the assessment of a drafted approval. */
    public Optional<ProposalView> view(String id, ApprovalDraft draft, Viewer viewer) {
        return proposal(id)
                .filter(proposalSnapshot -> isVisible(proposalSnapshot, viewer))
                .map(proposalSnapshot -> view(proposalSnapshot, decider.get().redact(proposalSnapshot), draft, viewer));
    }

    /** Returns a proposal with its secret arguments, as a member sees it that had them shown. */
    public Optional<ProposalView> revealedView(String id, Viewer viewer) {
        return proposal(id)
                .map(proposalSnapshot -> view(proposalSnapshot, proposalSnapshot, ApprovalDraft.AS_PROPOSED, viewer));
    }

    private ProposalView view(ProposalSnapshot proposalSnapshot, Viewer viewer) {
        return view(proposalSnapshot, decider.get().redact(proposalSnapshot), ApprovalDraft.AS_PROPOSED, viewer);
    }

    /**
     * Returns a proposal as a member sees it.
     *
     * @param shown the proposal as it may be shown: with or without its secret arguments
     * @param draft the approval for which the call is assessed
     */
    private ProposalView view(
            ProposalSnapshot proposalSnapshot, ProposalSnapshot shown, ApprovalDraft draft, Viewer viewer) {
        ProposalDecider currentDecider = decider.get();
        ProposalGuidanceBuilder builder = new ProposalGuidanceBuilder(
                        shown,
                        currentDecider.eligibleReviewers(proposalSnapshot),
                        currentDecider.membersFor(proposalSnapshot, viewer.member()),
                        viewer.presenceSnapshot(),
                        participant ->
                                viewer.callOfferDirectory().offers(topic, participant, proposalSnapshot.callKind()),
                        participant -> viewer.tools()
                                .find(
                                        participant,
                                        Objects.requireNonNullElse(
                                                proposalSnapshot.callKind().context(), "")),
                        viewer.member(),
                        viewer.now())
                .restrictedBy(viewer.tools());
        List<String> runners = builder.runners(draft);
        return ProposalView.of(
                builder,
                toolStatuses(proposalSnapshot, runners, viewer),
                proposalSnapshot,
                draft,
                shown.payload().equals(proposalSnapshot.payload())
                        ? List.of()
                        : currentDecider.disputedSecretWarnings(
                                proposalSnapshot, knownDefinitions(proposalSnapshot, viewer.tools()), runners));
    }

    /** Returns the definitions of the proposed tool: the current ones, those at the proposal, and the baselines. */
    private List<ToolDefinition> knownDefinitions(ProposalSnapshot proposalSnapshot, TopicTools tools) {
        return TopicTools.toolOf(proposalSnapshot.callKind())
                .map(tool -> Stream.concat(
                                tools.findLatest(tool).stream(),
                                Stream.concat(
                                                proposalSnapshot.proposed().tools().stream(),
                                                toolBaselines.findAll(tool).stream())
                                        .flatMap(recorded -> recorded.definition().stream()))
                        .toList())
                .orElse(List.of());
    }

    /** Returns the status of the proposed tool at each participant that could run the call. */
    private List<ProposedToolStatus> toolStatuses(
            ProposalSnapshot proposalSnapshot, List<String> runners, Viewer viewer) {
        return TopicTools.toolOf(proposalSnapshot.callKind())
                .map(tool -> runners.stream()
                        .map(runner -> toolStatus(
                                runner, tool, proposalSnapshot.proposed().tools(), viewer.tools()))
                        .toList())
                .orElse(List.of());
    }

    private ProposedToolStatus toolStatus(
            String runner, String tool, List<RecordedToolDefinition> recorded, TopicTools tools) {
        Optional<RecordedToolDefinition> proposed = recorded.stream()
                .filter(each -> each.participant().equals(runner))
                .findFirst();
        Optional<ToolBaselineStore.ToolBaseline> baseline = toolBaselines.find(runner, tool);
        return new ProposedToolStatus(
                runner,
                tool,
                tools.isLoaded(runner),
                tools.listState(runner) != ToolListState.CURRENT,
                tools.find(runner, tool),
                proposed,
                proposed.isEmpty() && !recorded.isEmpty(),
                baseline.map(ToolBaselineStore.ToolBaseline::definition),
                baseline.filter(ToolBaselineStore.ToolBaseline::approved).isPresent());
    }

    /**
     * Returns a page of the topic's proposals that a member may read, newest first. It can be shorter than the limit even
     * if more pages follow.
     *
     * @param cursor where an earlier page ended; the result is empty if the cursor is not valid
     */
    public Optional<ProposalPage> list(
            Optional<ProposalState> state, Optional<String> from, Optional<String> cursor, int limit, Viewer viewer) {
        SubjectQuery query = SubjectQuery.of(topic);
        SubjectQuery inState =
                state.map(filteredQuery -> query.state(filteredQuery.label())).orElse(query);
        SubjectQuery filteredQuery = from.map(inState::owner).orElse(inState);
        SubjectPage page;
        try {
            page = ledger.subjects(filteredQuery, cursor.orElse(null), limit);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        List<ProposalView> views = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < page.subjects().size(); i++) {
            if (bytes > MAX_PAGE_BYTES) {
                // The cursor to continue from here is that of a shorter page.
                page = ledger.subjects(filteredQuery, cursor.orElse(null), i);
                break;
            }
            List<LedgerEvent> history =
                    ledger.history(topic, page.subjects().get(i).subject());
            for (LedgerEvent event : history) {
                bytes += event.body().length();
            }
            ProposalLedgerMapper.toProposal(history)
                    .filter(proposalSnapshot -> isVisible(proposalSnapshot, viewer))
                    .map(proposalSnapshot -> view(proposalSnapshot, viewer))
                    // An expiry that is due may not be recorded yet.
                    .filter(view -> state.isEmpty() || state.get() == view.state())
                    .ifPresent(views::add);
        }
        return Optional.of(new ProposalPage(views, Optional.ofNullable(page.nextCursor())));
    }

    /**
     * The member that views proposals, with the time and context of the view.
     *
     * @param presenceSnapshot the members connected at that time
     * @param callOfferDirectory looks up the members that offer to run a call
     * @param tools looks up how they define a tool
     */
    public record Viewer(
            String member,
            PresenceSnapshot presenceSnapshot,
            CallOfferDirectory callOfferDirectory,
            TopicTools tools,
            Instant now) {}
}
