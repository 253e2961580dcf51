package dev.gavel.app.edge.console.inbox;

import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.console.inbox.Card;
import dev.gavel.console.inbox.CardWriter;
import dev.gavel.console.inbox.Lately;
import dev.gavel.console.inbox.SepChores;
import dev.gavel.console.inbox.Tool;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Caller;
import dev.gavel.sep.desk.Desk;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts what waits on somebody on cards. Thread-safe. */
record Cards(Gateway gateway, Directory directory, Optional<Desk> desk) {
    private static final Logger log = LoggerFactory.getLogger(Cards.class);

    /** Nobody looks through more; the rest comes up when these are decided. */
    static final int MOST = 1_000;

    private static final int MOST_SEPS = 50;
    private static final int MOST_LATELY = 5;

    /** So many of a topic's newest are looked through for those that ended. */
    private static final int LOOKED_THROUGH = 20;

    private static final Kind REMARK = Kind.of("mcpx.status.proposal");

    /** A topic of somebody's that keeps its proposals. */
    record Own(Topic topic, Member member, Records records) {}

    Stream<Own> own(Visitor visitor) {
        return gateway.topics().stream().flatMap(topic -> own(topic, visitor).stream());
    }

    static Optional<Own> own(Topic topic, Visitor visitor) {
        return topic.member(visitor.id())
                .flatMap(member -> topic.records().map(records -> new Own(topic, member, records)));
    }

    CardWriter writer(Member member, boolean whole) {
        return new CardWriter(member.id(), whole, member.capabilities().admitsKind(REMARK), this::tool);
    }

    private Optional<Tool> tool(String topic, List<String> participants, String name) {
        return gateway.topic(topic)
                .map(directory::offers)
                .flatMap(offers -> participants.stream()
                        .flatMap(participant -> offers.of(participant).stream())
                        .flatMap(offer ->
                                Optional.ofNullable(offer.of(Listed.TOOLS).get(name))
                                        .map(entry -> Tool.of(offer.participant(), entry))
                                        .stream())
                        .findFirst());
    }

    /** The proposals that somebody could decide, the oldest first. */
    CompletableFuture<List<Card>> waiting(Visitor visitor) {
        return gathered(visitor, this::waiting)
                .thenApply(lists -> lists.stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparing(Card::proposedAt))
                        .limit(MOST)
                        .toList());
    }

    /** Has those asked who offer tools, if nobody did yet; cards say what they answer as soon as they have. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
    void askForTools(Own own) {
        directory.settled(own.topic());
    }

    CompletableFuture<List<Card>> waiting(Own own) {
        askForTools(own);
        return own.records().waitingOn(own.member(), MOST).thenApply(views -> {
            CardWriter writer = writer(own.member(), false);
            return views.stream()
                    .map(view -> writer.write(own.topic().name(), view))
                    .filter(Card::open)
                    .toList();
        });
    }

    /** What ended last in somebody's topics, the latest first. */
    CompletableFuture<List<Lately>> lately(Visitor visitor) {
        return gathered(visitor, this::lately)
                .thenApply(lists -> lists.stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparing(Lately::at).reversed())
                        .limit(MOST_LATELY)
                        .toList());
    }

    private CompletableFuture<List<Lately>> lately(Own own) {
        return own.records()
                .list(own.member(), Optional.empty(), Optional.empty(), Optional.empty(), LOOKED_THROUGH)
                .thenApply(found -> {
                    CardWriter writer = writer(own.member(), false);
                    return found.stream()
                            .flatMap(listing -> listing.proposals().stream())
                            .flatMap(view -> {
                                Card card = writer.write(own.topic().name(), view);
                                return card.ending().stream()
                                        .map(ending -> Lately.of(
                                                card,
                                                ending,
                                                view.timeline().getLast().at()));
                            })
                            .toList();
                });
    }

    /** How many proposals somebody could decide. */
    CompletableFuture<Integer> count(Visitor visitor) {
        return gathered(visitor, own -> own.records().countWaitingOn(own.member()))
                .thenApply(counts -> counts.stream().mapToInt(Integer::intValue).sum());
    }

    private <T> CompletableFuture<List<T>> gathered(Visitor visitor, Function<Own, CompletableFuture<T>> ask) {
        List<CompletableFuture<T>> coming = own(visitor).map(ask).toList();
        return CompletableFuture.allOf(coming.toArray(CompletableFuture[]::new))
                .thenApply(done -> coming.stream().map(CompletableFuture::join).toList());
    }

    /** The SEPs whose next move is somebody's; none where the desk cannot say now, since proposals matter more here. */
    CompletableFuture<SepChores> seps(Visitor visitor) {
        return desk.map(it -> it.ask(
                                new Caller(visitor.id(), visitor.identity().roles()),
                                Verb.INBOX,
                                Json.object().with("limit", Json.of(MOST_SEPS)))
                        .thenApply(
                                reply -> reply instanceof Reply.Done(Json body) ? SepChores.of(body) : SepChores.NONE)
                        .exceptionally(failure -> {
                            log.warn("the SEPs that wait could not be read: {}", failure.toString());
                            return SepChores.NONE;
                        })
                        .toCompletableFuture())
                .orElseGet(() -> CompletableFuture.completedFuture(SepChores.NONE));
    }
}
