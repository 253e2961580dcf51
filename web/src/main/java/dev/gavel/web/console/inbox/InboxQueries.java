package dev.gavel.web.console.inbox;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepCaller;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.console.session.ConsoleUser;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads what the inbox shows to a user: proposals to decide, recently ended proposals and SEPs to act on. Thread-safe.
 */
record InboxQueries(Gateway gateway, CatalogRegistry catalogRegistry, Optional<SepService> sepService) {
    private static final Logger log = LoggerFactory.getLogger(InboxQueries.class);

    /** A reviewer does not look through more; the rest appears as these are decided. */
    static final int MAX_CARDS = 1_000;

    private static final int MAX_SEPS = 50;
    private static final int MAX_ENDED = 5;

    /** The number of a topic's newest proposals that are searched for ended ones. */
    private static final int SCANNED_PER_TOPIC = 20;

    private static final Kind STATUS_KIND = Kind.of("mcpx.status.proposal");

    /** A topic with a ledger of which the user is a member. */
    record LedgerTopic(Topic topic, Member member, ProposalQueries proposalQueries) {}

    Stream<LedgerTopic> ledgerTopics(ConsoleUser consoleUser) {
        return gateway.topics().stream().flatMap(topic -> ledgerTopics(topic, consoleUser).stream());
    }

    static Optional<LedgerTopic> ledgerTopics(Topic topic, ConsoleUser consoleUser) {
        return topic.member(consoleUser.id())
                .flatMap(member -> topic.proposalQueries()
                        .map(proposalQueries -> new LedgerTopic(topic, member, proposalQueries)));
    }

    ProposalCardBuilder cardBuilder(Member member, boolean whole) {
        return new ProposalCardBuilder(
                member.id(), whole, member.capabilitySet().admitsKind(STATUS_KIND), this::findTool);
    }

    private Optional<ToolDescription> findTool(String topic, List<String> participants, Kind call) {
        TopicTools tools = new TopicTools(gateway.toolDefinitions(), topic);
        return participants.stream()
                .flatMap(participant -> tools.findSchema(participant, call).stream())
                .findFirst()
                .map(ToolDescription::of);
    }

    /** Returns the proposals that the user can decide, oldest first. */
    CompletableFuture<List<ProposalCard>> waitingCards(ConsoleUser consoleUser) {
        return queryTopics(consoleUser, this::waitingCards)
                .thenApply(lists -> lists.stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparing(ProposalCard::proposedAt))
                        .limit(MAX_CARDS)
                        .toList());
    }

    /**
     * Requests the tool lists of the topic's participants unless this was done before. Cards show the descriptions as
     * soon as the participants answer.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for it
    void requestTools(LedgerTopic ledgerTopic) {
        catalogRegistry.whenLoaded(ledgerTopic.topic());
    }

    CompletableFuture<List<ProposalCard>> waitingCards(LedgerTopic ledgerTopic) {
        requestTools(ledgerTopic);
        return ledgerTopic
                .proposalQueries()
                .awaitingDecisionOf(ledgerTopic.member(), MAX_CARDS)
                .thenApply(views -> {
                    ProposalCardBuilder builder = cardBuilder(ledgerTopic.member(), false);
                    return views.stream()
                            .map(view -> builder.build(ledgerTopic.topic().name(), view))
                            .filter(ProposalCard::open)
                            .toList();
                });
    }

    /** Returns the proposals that ended last in the user's topics, latest first. */
    CompletableFuture<List<EndedProposalRow>> recentlyEnded(ConsoleUser consoleUser) {
        return queryTopics(consoleUser, this::recentlyEnded)
                .thenApply(lists -> lists.stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparing(EndedProposalRow::at).reversed())
                        .limit(MAX_ENDED)
                        .toList());
    }

    private CompletableFuture<List<EndedProposalRow>> recentlyEnded(LedgerTopic ledgerTopic) {
        return ledgerTopic
                .proposalQueries()
                .list(ledgerTopic.member(), Optional.empty(), Optional.empty(), Optional.empty(), SCANNED_PER_TOPIC)
                .thenApply(found -> {
                    ProposalCardBuilder builder = cardBuilder(ledgerTopic.member(), false);
                    return found.stream()
                            .flatMap(proposalPage -> proposalPage.proposals().stream())
                            .flatMap(view -> {
                                ProposalCard card =
                                        builder.build(ledgerTopic.topic().name(), view);
                                return card.outcome().stream()
                                        .map(cardOutcome -> EndedProposalRow.of(
                                                card,
                                                cardOutcome,
                                                view.timeline().getLast().at()));
                            })
                            .toList();
                });
    }

    /** Returns the number of proposals that the user can decide. */
    CompletableFuture<Integer> countWaiting(ConsoleUser consoleUser) {
        return queryTopics(
                        consoleUser,
                        ledgerTopic -> ledgerTopic.proposalQueries().countAwaitingDecisionOf(ledgerTopic.member()))
                .thenApply(counts -> counts.stream().mapToInt(Integer::intValue).sum());
    }

    private <T> CompletableFuture<List<T>> queryTopics(
            ConsoleUser consoleUser, Function<LedgerTopic, CompletableFuture<T>> query) {
        List<CompletableFuture<T>> futures =
                ledgerTopics(consoleUser).map(query).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }

    /**
     * Returns the SEPs whose next step is up to the user. Returns none if the SEP service fails, because the proposals
     * matter more in the inbox.
     */
    CompletableFuture<InboxSepList> seps(ConsoleUser consoleUser) {
        return sepService
                .map(it -> it.execute(
                                new SepCaller(
                                        consoleUser.id(), consoleUser.identity().roles()),
                                SepOperation.INBOX,
                                Json.object().with("limit", Json.of(MAX_SEPS)))
                        .thenApply(sepResult -> sepResult instanceof SepResult.Success(Json body)
                                ? InboxSepList.of(body, consoleUser.id(), consoleUser.terms())
                                : InboxSepList.none(consoleUser.terms()))
                        .exceptionally(failure -> {
                            log.warn(
                                    "The specification proposals for the inbox could not be loaded: {}",
                                    failure.toString());
                            return InboxSepList.none(consoleUser.terms());
                        })
                        .toCompletableFuture())
                .orElseGet(() -> CompletableFuture.completedFuture(InboxSepList.none(consoleUser.terms())));
    }
}
