package dev.gavel.web.console.inbox;

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
 * Renders changed proposal cards, SEP rows and the inbox count for open inbox and proposal pages.
 *
 * @param proposalPath the path of the proposal whose page is open, which shows the whole proposal; empty for the inbox,
 *     which shows a short card of each proposal
 */
record InboxUpdateSource(
        InboxQueries inboxQueries, ConsoleUser consoleUser, Optional<String> proposalPath, InstantSource clock)
        implements LiveUpdateSource<InboxUpdateSource.UpdateSubject> {
    /** The part of a page that may have changed. */
    sealed interface UpdateSubject {
        record OneProposal(Topic topic, String id) implements UpdateSubject {}

        /** All proposals that wait in a topic. */
        record WholeTopic(Topic topic) implements UpdateSubject {}

        /** The SEPs whose next step is up to the reader. */
        record Seps() implements UpdateSubject {}

        /** The page of one proposal, which loads itself again. */
        record Page() implements UpdateSubject {}
    }

    @Override
    public Reaction<UpdateSubject> onChange(FeedEntry feedEntry) {
        return switch (feedEntry.subject()) {
            case ChangeSubject.Proposal(Topic topic, String id) ->
                isMember(topic) && isShown(topic, id)
                        ? new Reaction.Send<>(new UpdateSubject.OneProposal(topic, id))
                        : new Reaction.Ignore<>();
            case ChangeSubject.Presence(Topic topic) -> topicChanged(topic);
            case ChangeSubject.Rights(Topic topic, String identity) ->
                identity.equals(consoleUser.id()) ? new Reaction.Reload<>() : topicChanged(topic);
            case ChangeSubject.Seps() ->
                proposalPath.isPresent()
                        ? new Reaction.Ignore<>()
                        : new Reaction.SendThrottled<>(new UpdateSubject.Seps());
        };
    }

    private boolean isMember(Topic topic) {
        return topic.member(consoleUser.id()).isPresent();
    }

    private boolean isShown(Topic topic, String id) {
        return proposalPath.isEmpty() || proposalPath.get().equals(ProposalCard.path(topic.name(), id));
    }

    /** The participants that may run calls may have changed, and with them every card of the topic. */
    private Reaction<UpdateSubject> topicChanged(Topic topic) {
        if (!isMember(topic)
                || proposalPath
                        .filter(path -> !path.startsWith(ProposalCard.path(topic.name(), "")))
                        .isPresent()) {
            return new Reaction.Ignore<>();
        }
        return new Reaction.SendThrottled<>(
                proposalPath.isPresent() ? new UpdateSubject.Page() : new UpdateSubject.WholeTopic(topic));
    }

    @Override
    public CompletableFuture<List<PageEvent>> render(UpdateSubject updateSubject) {
        return switch (updateSubject) {
            case UpdateSubject.OneProposal(Topic topic, String id) ->
                InboxQueries.ledgerTopics(topic, consoleUser)
                        .map(ledgerTopic -> withCount(ledgerTopic
                                .proposalQueries()
                                .view(ledgerTopic.member(), id)
                                .thenApply(found -> found.stream()
                                        .map(view -> inboxQueries
                                                .cardBuilder(ledgerTopic.member(), proposalPath.isPresent())
                                                .build(topic.name(), view))
                                        .toList())))
                        .orElseGet(InboxUpdateSource::nothing);
            case UpdateSubject.WholeTopic(Topic topic) ->
                InboxQueries.ledgerTopics(topic, consoleUser)
                        .map(ledgerTopic -> withCount(inboxQueries.waitingCards(ledgerTopic)))
                        .orElseGet(InboxUpdateSource::nothing);
            case UpdateSubject.Page() -> CompletableFuture.completedFuture(List.of(new PageEvent("stale", "-")));
            case UpdateSubject.Seps() ->
                inboxQueries
                        .seps(consoleUser)
                        .thenApply(seps ->
                                List.of(new PageEvent("seps", InboxAndProposalRenderer.seps(seps, clock.instant()))));
        };
    }

    private static CompletableFuture<List<PageEvent>> nothing() {
        return CompletableFuture.completedFuture(List.of());
    }

    /** Renders the cards on the thread that completes the query, not on the event loop, and adds the inbox count. */
    private CompletableFuture<List<PageEvent>> withCount(CompletableFuture<List<ProposalCard>> future) {
        return future.thenApply(found -> found.stream()
                        .map(card -> new PageEvent(
                                "card", InboxAndProposalRenderer.card(card, consoleUser.csrf(), clock.instant())))
                        .toList())
                .thenCombine(inboxQueries.countWaiting(consoleUser), (pageEvents, count) -> {
                    List<PageEvent> all = new ArrayList<>(pageEvents);
                    all.add(new PageEvent("count", Integer.toString(count)));
                    return all;
                });
    }
}
