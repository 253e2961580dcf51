package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Offers;
import dev.gavel.gateway.proposal.Presence;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalGuide;
import dev.gavel.gateway.proposal.ProposalLife;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.Summary;
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
 * Reads what the ledger keeps of one topic's proposals. Reading waits for the disk, so not on an event loop; what cannot
 * be read throws {@link dev.gavel.ledger.LedgerFailure}. Thread-safe.
 */
public final class Archive {
    private static final Logger log = LoggerFactory.getLogger(Archive.class);

    private static final int PAGE = 500;

    /** About how much one listing may hold; a page ends early rather than become larger. */
    private static final long LISTING_BYTES = 2 * 1024 * 1024;

    private final String topic;
    private final Supplier<ProposalLife> life;
    private final LedgerReader ledger;

    Archive(String topic, Supplier<ProposalLife> life, LedgerReader ledger) {
        this.topic = topic;
        this.life = life;
        this.ledger = ledger;
    }

    /** The last seq there is. */
    public long seq() {
        return ledger.extent(topic).last();
    }

    /** What came after a seq: a piece of it. */
    public Replayed after(long seq) {
        return new Replaying(ledger, topic).after(seq);
    }

    Tail tail() {
        return new Tail(ledger, topic, life);
    }

    /** The last of what happened after a seq, in order: at most so many, and fewer where they are very long. */
    public List<Happening> lately(long after, int most) {
        return new Lately(ledger, topic).after(after, most);
    }

    /** All proposals of which something can still come by itself, the open ones first, the oldest of them first. */
    public List<Standing> standings() {
        Map<String, Standing> standings = new LinkedHashMap<>();
        SubjectQuery open = SubjectQuery.of(topic).open(true).order(SubjectQuery.Order.OLDEST_FIRST);
        @Nullable String cursor = null;
        do {
            SubjectPage page = ledger.subjects(open, cursor, PAGE);
            page.subjects().forEach(summary -> put(standings, summary));
            cursor = page.next();
        } while (cursor != null);
        ledger.due(topic, Instant.MAX, Integer.MAX_VALUE).forEach(summary -> put(standings, summary));
        return List.copyOf(standings.values());
    }

    private void put(Map<String, Standing> standings, Summary summary) {
        if (standings.containsKey(summary.subject())) {
            return;
        }
        try {
            proposal(summary.subject())
                    .ifPresent(proposal -> standings.put(proposal.id(), Standing.of(proposal, life.get())));
        } catch (LedgerFailure e) {
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

    private Optional<Proposal> proposal(String id) {
        return Kept.proposal(ledger.history(topic, id));
    }

    /** How a proposal looks to somebody. */
    public Optional<ProposalView> view(String id, Onlooker onlooker) {
        return proposal(id).map(proposal -> view(proposal, onlooker));
    }

    private ProposalView view(Proposal proposal, Onlooker onlooker) {
        ProposalLife by = life.get();
        return ProposalView.of(new ProposalGuide(
                proposal,
                by.circle(proposal),
                by.members(),
                onlooker.presence(),
                participant -> onlooker.offers().offers(topic, participant, proposal.call()),
                onlooker.member(),
                onlooker.now()));
    }

    /**
     * The topic's proposals, the newest first, at most so many.
     *
     * @param cursor where an earlier listing ended; nothing is listed where none ever ended there
     */
    public Optional<Listing> list(
            Optional<ProposalState> state,
            Optional<String> from,
            Optional<String> cursor,
            int limit,
            Onlooker onlooker) {
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
            List<Event> history = ledger.history(topic, page.subjects().get(i).subject());
            for (Event event : history) {
                bytes += event.body().length();
            }
            Kept.proposal(history)
                    .map(proposal -> view(proposal, onlooker))
                    // What has just expired may not have been recorded yet.
                    .filter(view -> state.isEmpty() || state.get() == view.state())
                    .ifPresent(views::add);
        }
        return Optional.of(new Listing(views, Optional.ofNullable(page.next())));
    }

    /**
     * Who looks at proposals, and when.
     *
     * @param presence who is connected then
     * @param offers who says that they can run a call
     */
    public record Onlooker(String member, Presence presence, Offers offers, Instant now) {}
}
