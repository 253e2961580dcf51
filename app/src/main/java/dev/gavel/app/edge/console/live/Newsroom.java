package dev.gavel.app.edge.console.live;

import dev.gavel.gateway.Listener;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.docket.Change;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

/**
 * Knows of what pages may have to be made anew, now and a little while back: that something happened, not what. A page
 * says how far it knows, by a mark, so that nothing is missed between its making and its listening. Thread-safe.
 */
public final class Newsroom implements Listener {
    private static final int MOST_KEPT = 2_000;

    private final String edition;
    private final Deque<News> kept = new ArrayDeque<>();
    private final Set<Consumer<News>> readers = new CopyOnWriteArraySet<>();
    private long number;

    /** One that knows of nothing yet. */
    public Newsroom() {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        this.edition = HexFormat.of().formatHex(random);
    }

    /**
     * That something happened.
     *
     * @param number its place among all
     */
    public record News(long number, Matter matter) {}

    /** What it is about. */
    public sealed interface Matter {
        /** A proposal stands otherwise. */
        record Proposal(Topic topic, String id) implements Matter {}

        /** Somebody came or left, or offers other things, so others may run calls now. */
        record Presence(Topic topic) implements Matter {}

        /** Somebody may do other things from now on. */
        record Rights(Topic topic, String identity) implements Matter {}

        /** Something may have happened to SEPs. */
        record Seps() implements Matter {}
    }

    @Override
    public void came(Topic topic, Member member) {
        publish(new Matter.Presence(topic));
    }

    @Override
    public void left(Topic topic, Member member) {
        publish(new Matter.Presence(topic));
    }

    /** Somebody who is here offers other things than before. */
    public void offered(Topic topic) {
        publish(new Matter.Presence(topic));
    }

    @Override
    public void changed(Topic topic, Member member) {
        publish(new Matter.Rights(topic, member.id()));
    }

    @Override
    public void happened(Topic topic, Change change) {
        publish(new Matter.Proposal(topic, change.after().id()));
    }

    /** Something may have happened to SEPs. */
    public void sepsChanged() {
        publish(new Matter.Seps());
    }

    private void publish(Matter matter) {
        News news;
        synchronized (this) {
            news = new News(++number, matter);
            kept.addLast(news);
            if (kept.size() > MOST_KEPT) {
                kept.removeFirst();
            }
        }
        readers.forEach(reader -> reader.accept(news));
    }

    /** How far everything is known now. */
    public synchronized String mark() {
        return mark(number);
    }

    /** How far something is known that knows of this. */
    String mark(long upTo) {
        return edition + "-" + upTo;
    }

    /**
     * Has somebody told what happens from now on, on whatever thread it happens.
     *
     * @param mark how far they know already
     * @return what they missed since; nothing where that is not known any more
     */
    synchronized Optional<List<News>> subscribe(String mark, Consumer<News> reader) {
        readers.add(reader);
        String rest = mark.startsWith(edition + "-") ? mark.substring(edition.length() + 1) : "";
        if (!rest.matches("\\d{1,18}")) {
            return Optional.empty();
        }
        long known = Long.parseLong(rest);
        boolean complete =
                known >= number || (!kept.isEmpty() && kept.getFirst().number() <= known + 1);
        return complete
                ? Optional.of(
                        kept.stream().filter(news -> news.number() > known).toList())
                : Optional.empty();
    }

    void unsubscribe(Consumer<News> reader) {
        readers.remove(reader);
    }
}
