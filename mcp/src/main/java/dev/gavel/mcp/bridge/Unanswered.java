package dev.gavel.mcp.bridge;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.docket.Listing;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.Outcome;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what was approved and asked of a member before it came, and was not answered by whoever took part in its name then:
 * a process that was killed, or lost its place. It is here again, so nobody else would ever notice. Thread-safe.
 */
final class Unanswered {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    /** By then whatever the one before had still to say has been written. */
    private static final long WAIT_MILLIS = 3_000;

    private static final int PAGE = 100;

    /** So many of the newest that were approved are looked at. */
    private static final int MOST = 500;

    private final Records records;
    private final Member member;
    private final Instant came;
    private final BooleanSupplier ours;
    private final Consumer<Asked> found;

    /**
     * What was asked of a member.
     *
     * @param came when it came
     * @param ours whether it is still this process's to say something of it
     * @param found given each
     */
    Unanswered(Records records, Member member, Instant came, BooleanSupplier ours, Consumer<Asked> found) {
        this.records = records;
        this.member = member;
        this.came = came;
        this.ours = ours;
        this.found = found;
    }

    /** Looks, after a while. */
    @SuppressWarnings("FutureReturnValueIgnored") // it happens, or the process ends before
    void lookLater(Topic topic) {
        topic.loop().schedule(() -> look(Optional.empty(), MOST), WAIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look(Optional<String> cursor, int most) {
        var _ = records.list(member, Optional.of(ProposalState.FULFILLED), Optional.empty(), cursor, PAGE)
                .whenComplete((listing, failure) -> {
                    if (failure != null) {
                        log.warn(
                                "bridge {}: what was left unanswered before it came cannot be read: {}",
                                member.id(),
                                failure.toString());
                    } else {
                        listing.ifPresent(page -> see(page, most));
                    }
                });
    }

    private void see(Listing listing, int most) {
        if (ours.getAsBoolean()) {
            listing.proposals().forEach(this::see);
            listing.next().filter(next -> most > PAGE).ifPresent(next -> look(Optional.of(next), most - PAGE));
        }
    }

    private void see(ProposalView view) {
        Fulfilment call = Proposal.of(view.timeline()).fulfilment();
        if (call != null
                && call.outcome() == Outcome.PENDING
                && call.since().isBefore(came)
                && call.addressees().contains(member.id())) {
            found.accept(Asked.of(call.request().sent().envelope()));
        }
    }
}
