package dev.gavel.app.edge.console.topic;

import dev.gavel.app.edge.console.live.Newsroom.Matter;
import dev.gavel.app.edge.console.live.Newsroom.News;
import dev.gavel.app.edge.console.live.Teller;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.console.topic.Row;
import dev.gavel.console.topic.TopicPage;
import dev.gavel.console.topic.TopicPages;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Mode;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.docket.Happening;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Tells the page of a topic what happens there: rows to be put in place, and that who is there has changed. However much
 * happens, what there is to tell about is one of three things, so that a flood is told together, and only its end.
 */
final class TopicTeller implements Teller<TopicTeller.About> {
    /** More rows at once nobody can follow. */
    private static final int MOST_HEARD = 50;

    private final Topic topic;
    private final Visitor visitor;
    private final Hearsay hearsay;
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
    TopicTeller(Topic topic, Visitor visitor, Hearsay hearsay, InstantSource clock, long seq, String mark) {
        this.topic = topic;
        this.visitor = visitor;
        this.hearsay = hearsay;
        this.clock = clock;
        this.seq = seq;
        this.mark = mark;
    }

    /** What there may be to tell about. */
    enum About {
        PROPOSALS,
        HEARSAY,
        PEOPLE
    }

    @Override
    public Reaction<About> hear(News news) {
        return switch (news.matter()) {
            case Matter.Proposal(Topic where, String _) when here(where) -> new Reaction.Tell<>(About.PROPOSALS);
            case Matter.Presence(Topic where) when here(where) -> new Reaction.TellSoon<>(About.PEOPLE);
            case Matter.Rights(Topic where, String identity)
            when here(where) ->
                identity.equals(visitor.id()) ? new Reaction.Renew<>() : new Reaction.TellSoon<>(About.PEOPLE);
            default -> new Reaction.Ignore<>();
        };
    }

    private boolean here(Topic other) {
        return other.name().equals(topic.name());
    }

    @Override
    public Mode listensTo(Topic other) {
        return here(other) ? Mode.ALL : Mode.DIRECTED;
    }

    /** That something was sent is enough: what it was, the hearsay knows. */
    @Override
    public Optional<About> overhear(Topic other, byte[] envelope) {
        return here(other) ? Optional.of(About.HEARSAY) : Optional.empty();
    }

    @Override
    public CompletableFuture<List<Message>> tell(About about) {
        Optional<Member> member = topic.member(visitor.id());
        if (member.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return switch (about) {
            case PROPOSALS ->
                topic.records()
                        .map(records -> steps(records, member.get()))
                        .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
            case HEARSAY -> CompletableFuture.completedFuture(heard().stream().toList());
            case PEOPLE -> {
                // Who came or left is a row, too.
                List<Message> messages = new ArrayList<>(heard().stream().toList());
                messages.add(new Message("stale", "-"));
                yield CompletableFuture.completedFuture(messages);
            }
        };
    }

    /** Rows are written where they are read, not on the loop. */
    private CompletableFuture<List<Message>> steps(Records records, Member member) {
        return records.lately(member, seq, TopicPage.MOST).thenApply(happenings -> {
            if (happenings.isEmpty()) {
                return List.of();
            }
            seq = happenings.getLast().seq();
            return rows(rows(topic, happenings, visitor.id())).stream().toList();
        });
    }

    static List<Row> rows(Topic topic, List<Happening> happenings, String reader) {
        return happenings.stream()
                .map(each -> Row.of(topic.name(), each, reader))
                .toList();
    }

    private Optional<Message> heard() {
        Hearsay.Told told = hearsay.after(topic, mark, visitor.id());
        mark = told.mark();
        List<Row> all = told.rows();
        return rows(all.subList(Math.max(0, all.size() - MOST_HEARD), all.size()));
    }

    private Optional<Message> rows(List<Row> rows) {
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Message("row", TopicPages.rows(rows, clock.instant())));
    }
}
