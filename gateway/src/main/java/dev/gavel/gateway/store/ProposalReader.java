package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalGuidanceBuilder;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one topic's proposals and their events from the ledger; blocks on disk. Reading waits for the disk, so not on
 * an event loop; what cannot be read throws {@link dev.gavel.ledger.LedgerException}. Thread-safe.
 */
public final class ProposalReader {
    private static final Logger log = LoggerFactory.getLogger(ProposalReader.class);

    private static final int PAGE = 500;

    /** About how much one listing may hold; a page ends early rather than become larger. */
    private static final long LISTING_BYTES = 2 * 1024 * 1024;

    private final String topic;
    private final Supplier<ProposalDecider> decider;
    private final LedgerReader ledger;

    ProposalReader(String topic, Supplier<ProposalDecider> life, LedgerReader ledger) {
        this.topic = topic;
        this.decider = life;
        this.ledger = ledger;
    }

    /** The last seq there is. */
    public long lastSeq() {
        return ledger.retainedRange(topic).last();
    }

    /** What came after a seq: a piece of it. */
    public MessageReplayResult replayAfter(long seq) {
        return new ProposalReplayReader(ledger, topic).after(seq);
    }

    ProposalTailReader tailReader() {
        return new ProposalTailReader(ledger, topic, decider);
    }

    /** The last of what happened after a seq, in order: at most so many, and fewer where they are very long. */
    public List<RecentProposalEvent> recentEvents(long after, int most) {
        return new RecentEventsReader(ledger, topic).after(after, most);
    }

    /** All proposals of which something can still come by itself, the open ones first, the oldest of them first. */
    public List<TrackedProposal> loadTracked() {
        Map<String, TrackedProposal> trackedProposals = new LinkedHashMap<>();
        SubjectQuery open = SubjectQuery.of(topic).open(true).order(SubjectQuery.Order.OLDEST_FIRST);
        @Nullable String cursor = null;
        do {
            SubjectPage page = ledger.subjects(open, cursor, PAGE);
            page.subjects().forEach(summary -> put(trackedProposals, summary));
            cursor = page.next();
        } while (cursor != null);
        ledger.dueSubjects(topic, Instant.MAX, Integer.MAX_VALUE).forEach(summary -> put(trackedProposals, summary));
        return List.copyOf(trackedProposals.values());
    }

    private void put(Map<String, TrackedProposal> trackedProposals, SubjectSummary summary) {
        if (trackedProposals.containsKey(summary.subject())) {
            return;
        }
        try {
            proposal(summary.subject())
                    .ifPresent(proposalSnapshot -> trackedProposals.put(
                            proposalSnapshot.id(), TrackedProposal.of(proposalSnapshot, decider.get())));
        } catch (LedgerException e) {
            if (e.getCause() instanceof SQLException) {
                // It is the database that fails, now; whoever opens the topic tries again, or nobody would look after
                // this one.
                throw e;
            }
            // Everything else can go on; an export shows what is there.
            log.atError()
                    .addKeyValue("topic", topic)
                    .addKeyValue("proposal", summary.subject())
                    .log("a proposal that cannot be read is passed over: {}", e.getMessage());
        }
    }

    private Optional<ProposalSnapshot> proposal(String id) {
        return ProposalLedgerMapper.toProposal(ledger.history(topic, id));
    }

    /** How a proposal looks to somebody. */
    public Optional<ProposalView> view(String id, Viewer viewer) {
        return proposal(id).map(proposalSnapshot -> view(proposalSnapshot, viewer));
    }

    private ProposalView view(ProposalSnapshot proposalSnapshot, Viewer viewer) {
        ProposalDecider by = decider.get();
        return ProposalView.of(new ProposalGuidanceBuilder(
                proposalSnapshot,
                by.eligibleReviewers(proposalSnapshot),
                by.memberCapabilities(),
                viewer.presenceSnapshot(),
                participant -> viewer.callOfferDirectory().offers(topic, participant, proposalSnapshot.call()),
                viewer.member(),
                viewer.now()));
    }

    /**
     * The topic's proposals, the newest first, at most so many.
     *
     * @param cursor where an earlier listing ended; nothing is listed where none ever ended there
     */
    public Optional<ProposalPage> list(
            Optional<ProposalState> state, Optional<String> from, Optional<String> cursor, int limit, Viewer viewer) {
        SubjectQuery query = SubjectQuery.of(topic);
        SubjectQuery inState = state.map(wanted -> query.state(wanted.word())).orElse(query);
        SubjectQuery wanted = from.map(inState::owner).orElse(inState);
        SubjectPage page;
        try {
            page = ledger.subjects(wanted, cursor.orElse(null), limit);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        List<ProposalView> views = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < page.subjects().size(); i++) {
            if (bytes > LISTING_BYTES) {
                // The cursor that leads on from here is that of a shorter page.
                page = ledger.subjects(wanted, cursor.orElse(null), i);
                break;
            }
            List<LedgerEvent> history =
                    ledger.history(topic, page.subjects().get(i).subject());
            for (LedgerEvent event : history) {
                bytes += event.body().length();
            }
            ProposalLedgerMapper.toProposal(history)
                    .map(proposalSnapshot -> view(proposalSnapshot, viewer))
                    // What has just expired may not have been recorded yet.
                    .filter(view -> state.isEmpty() || state.get() == view.state())
                    .ifPresent(views::add);
        }
        return Optional.of(new ProposalPage(views, Optional.ofNullable(page.next())));
    }

    /**
     * Who looks at proposals, and when.
     *
     * @param presenceSnapshot who is connected then
     * @param callOfferDirectory who says that they can run a call
     */
    public record Viewer(
            String member, PresenceSnapshot presenceSnapshot, CallOfferDirectory callOfferDirectory, Instant now) {}
}
