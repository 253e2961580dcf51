package dev.gavel.web.console.topic;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.RecentProposalEvent;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.gateway.topic.SubscriptionMode;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.web.console.live.ChangeFeed.ChangeSubject;
import dev.gavel.web.console.live.ChangeFeed.FeedEntry;
import dev.gavel.web.console.live.LiveUpdateSource;
import dev.gavel.web.console.session.ConsoleUser;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Renders new activity rows and membership changes for an open topic page. However much happens, what there is to tell
 * about is one of three things, so that a flood is told together, and only its end.
 */
final class TopicUpdateSource implements LiveUpdateSource<TopicUpdateSource.UpdateSubject> {
    /** More rows at once nobody can follow. */
    private static final int MAX_ROWS = 50;

    private final Topic topic;
    private final ConsoleUser consoleUser;
    private final UnrecordedActivityBuffer unrecordedActivityBuffer;
    private final InstantSource clock;

    /** How far the page knows; known on the stream's context, which waits for each telling. */
    private volatile long seq;

    private volatile String mark;

    /**
     * A teller.
     *
     * @param seq how much of the ledger the page knows
     * @param mark how much of the hearsay
     */
    TopicUpdateSource(
            Topic topic,
            ConsoleUser consoleUser,
            UnrecordedActivityBuffer unrecordedActivityBuffer,
            InstantSource clock,
            long seq,
            String mark) {
        this.topic = topic;
        this.consoleUser = consoleUser;
        this.unrecordedActivityBuffer = unrecordedActivityBuffer;
        this.clock = clock;
        this.seq = seq;
        this.mark = mark;
    }

    /** What there may be to tell about. */
    enum UpdateSubject {
        PROPOSALS,
        UNRECORDED_ACTIVITY,
        MEMBERS
    }

    @Override
    public Reaction<UpdateSubject> onChange(FeedEntry feedEntry) {
        return switch (feedEntry.subject()) {
            case ChangeSubject.Proposal(Topic where, String _)
            when isThisTopic(where) -> new Reaction.Send<>(UpdateSubject.PROPOSALS);
            case ChangeSubject.Presence(Topic where)
            when isThisTopic(where) -> new Reaction.SendThrottled<>(UpdateSubject.MEMBERS);
            case ChangeSubject.Rights(Topic where, String identity)
            when isThisTopic(where) ->
                identity.equals(consoleUser.id())
                        ? new Reaction.Reload<>()
                        : new Reaction.SendThrottled<>(UpdateSubject.MEMBERS);
            default -> new Reaction.Ignore<>();
        };
    }

    private boolean isThisTopic(Topic other) {
        return other.name().equals(topic.name());
    }

    @Override
    public SubscriptionMode deliveryMode(Topic other) {
        return isThisTopic(other) ? SubscriptionMode.ALL : SubscriptionMode.DIRECTED;
    }

    /** That something was sent is enough: what it was, the hearsay knows. */
    @Override
    public Optional<UpdateSubject> onEnvelope(Topic other, byte[] envelope) {
        return isThisTopic(other) ? Optional.of(UpdateSubject.UNRECORDED_ACTIVITY) : Optional.empty();
    }

    @Override
    public CompletableFuture<List<PageEvent>> render(UpdateSubject updateSubject) {
        Optional<Member> member = topic.member(consoleUser.id());
        if (member.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return switch (updateSubject) {
            case PROPOSALS ->
                topic.proposalQueries()
                        .map(proposalQueries -> renderProposalEvents(proposalQueries, member.get()))
                        .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
            case UNRECORDED_ACTIVITY ->
                CompletableFuture.completedFuture(renderUnrecorded().stream().toList());
            case MEMBERS -> {
                // Who came or left is a row, too.
                List<PageEvent> pageEvents =
                        new ArrayList<>(renderUnrecorded().stream().toList());
                pageEvents.add(new PageEvent("stale", "-"));
                yield CompletableFuture.completedFuture(pageEvents);
            }
        };
    }

    /** Rows are written where they are read, not on the loop. */
    private CompletableFuture<List<PageEvent>> renderProposalEvents(ProposalQueries proposalQueries, Member member) {
        return proposalQueries
                .recentEvents(member, seq, TopicActivityPage.MAX_PROPOSAL_EVENTS)
                .thenApply(recentProposalEvents -> {
                    if (recentProposalEvents.isEmpty()) {
                        return List.of();
                    }
                    seq = recentProposalEvents.getLast().seq();
                    return rows(rows(topic, recentProposalEvents, consoleUser.id())).stream()
                            .toList();
                });
    }

    static List<ActivityRow> rows(Topic topic, List<RecentProposalEvent> recentProposalEvents, String reader) {
        return recentProposalEvents.stream()
                .map(each -> ActivityRow.of(topic.name(), each, reader))
                .toList();
    }

    private Optional<PageEvent> renderUnrecorded() {
        UnrecordedActivityBuffer.ActivityBatch activityBatch =
                unrecordedActivityBuffer.after(topic, mark, consoleUser.id());
        mark = activityBatch.mark();
        List<ActivityRow> all = activityBatch.rows();
        return rows(all.subList(Math.max(0, all.size() - MAX_ROWS), all.size()));
    }

    private Optional<PageEvent> rows(List<ActivityRow> rows) {
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new PageEvent("row", TopicPageRenderer.rows(rows, clock.instant())));
    }
}
