package dev.gavel.web.console.topic;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.RecentProposalEvent;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.gateway.topic.SubscriptionScope;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.web.console.live.ChangeFeed.ChangeSubject;
import dev.gavel.web.console.live.ChangeFeed.FeedEntry;
import dev.gavel.web.console.live.LiveUpdateSource;
import dev.gavel.web.console.session.ConsoleUser;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Renders new activity rows and membership changes for an open topic page. However much happens, there are only three
 * subjects to update, so that a burst is sent as one update per subject, with only its latest rows.
 */
final class TopicUpdateSource implements LiveUpdateSource<TopicUpdateSource.UpdateSubject> {
    /** A reader cannot follow more rows at once. */
    private static final int MAX_ROWS = 50;

    private final Topic topic;
    private final ConsoleUser consoleUser;
    private final UnrecordedActivityBuffer unrecordedActivityBuffer;
    private final InstantSource clock;

    /**
     * The last ledger sequence number that the page knows. Queries may complete on another thread, but the stream waits
     * for each rendering before it starts the next.
     */
    private volatile long seq;

    private volatile String mark;

    /**
     * Creates the update source of one page.
     *
     * @param seq the last ledger sequence number that the page knows
     * @param mark the last unrecorded activity that the page knows
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

    /** The subjects of an update. */
    enum UpdateSubject {
        PROPOSALS,
        UNRECORDED_ACTIVITY,
        MEMBERS
    }

    @Override
    public Reaction<UpdateSubject> onChange(FeedEntry feedEntry) {
        return switch (feedEntry.subject()) {
            case ChangeSubject.Proposal(Topic changedTopic, String _)
            when isThisTopic(changedTopic) -> new Reaction.Send<>(UpdateSubject.PROPOSALS);
            case ChangeSubject.Presence(Topic changedTopic)
            when isThisTopic(changedTopic) -> new Reaction.SendThrottled<>(UpdateSubject.MEMBERS);
            case ChangeSubject.Rights(Topic changedTopic, String identity)
            when isThisTopic(changedTopic) ->
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
    public SubscriptionScope deliveryMode(Topic other) {
        return isThisTopic(other) ? SubscriptionScope.ALL : SubscriptionScope.DIRECTED;
    }

    /** Only signals that an envelope was sent; the {@link UnrecordedActivityBuffer} has its content. */
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
                // A participant that joined or left also gets a row.
                List<PageEvent> pageEvents =
                        new ArrayList<>(renderUnrecorded().stream().toList());
                pageEvents.add(new PageEvent("stale", "-"));
                yield CompletableFuture.completedFuture(pageEvents);
            }
        };
    }

    /** Renders the rows on the thread that completes the query, not on the event loop. */
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
        Map<Long, RecentProposalEvent> bySeq =
                recentProposalEvents.stream().collect(Collectors.toMap(RecentProposalEvent::seq, each -> each));
        return recentProposalEvents.stream()
                .map(each -> ActivityRow.of(
                        topic.name(),
                        each,
                        Optional.ofNullable(bySeq.get(each.seq() + 1))
                                .filter(next -> next.proposal().equals(each.proposal()))
                                .map(next -> next.entry().event()),
                        reader))
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
