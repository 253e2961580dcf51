package dev.gavel.web.console.live;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.ProposalChange;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicListener;
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
 * Publishes to open pages that something changed, and buffers recent changes so that a page misses none. A page says
 * how far it knows, by a mark, so that nothing is missed between its making and its listening. Thread-safe.
 */
public final class ChangeFeed implements TopicListener {
    private static final int MAX_BUFFERED = 2_000;

    private final String feedId;
    private final Deque<FeedEntry> buffer = new ArrayDeque<>();
    private final Set<Consumer<FeedEntry>> subscribers = new CopyOnWriteArraySet<>();
    private long number;

    /** One that knows of nothing yet. */
    public ChangeFeed() {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        this.feedId = HexFormat.of().formatHex(random);
    }

    /**
     * That something happened.
     *
     * @param number its place among all
     */
    public record FeedEntry(long number, ChangeSubject subject) {}

    /** What it is about. */
    public sealed interface ChangeSubject {
        /** A proposal stands otherwise. */
        record Proposal(Topic topic, String id) implements ChangeSubject {}

        /** Somebody came or left, or offers other things, so others may run calls now. */
        record Presence(Topic topic) implements ChangeSubject {}

        /** Somebody may do other things from now on. */
        record Rights(Topic topic, String identity) implements ChangeSubject {}

        /** Something may have happened to SEPs. */
        record Seps() implements ChangeSubject {}
    }

    @Override
    public void onParticipantJoined(Topic topic, Member member) {
        publish(new ChangeSubject.Presence(topic));
    }

    @Override
    public void onParticipantLeft(Topic topic, Member member) {
        publish(new ChangeSubject.Presence(topic));
    }

    /** Somebody who is here offers other things than before. */
    public void onOffersChanged(Topic topic) {
        publish(new ChangeSubject.Presence(topic));
    }

    @Override
    public void onMemberChanged(Topic topic, Member member) {
        publish(new ChangeSubject.Rights(topic, member.id()));
    }

    @Override
    public void onProposalChange(Topic topic, ProposalChange change) {
        publish(new ChangeSubject.Proposal(topic, change.after().id()));
    }

    /** Something may have happened to SEPs. */
    public void onSepsChanged() {
        publish(new ChangeSubject.Seps());
    }

    private void publish(ChangeSubject changeSubject) {
        FeedEntry feedEntry;
        synchronized (this) {
            feedEntry = new FeedEntry(++number, changeSubject);
            buffer.addLast(feedEntry);
            if (buffer.size() > MAX_BUFFERED) {
                buffer.removeFirst();
            }
        }
        subscribers.forEach(reader -> reader.accept(feedEntry));
    }

    /** How far everything is known now. */
    public synchronized String mark() {
        return mark(number);
    }

    /** How far something is known that knows of this. */
    String mark(long upTo) {
        return feedId + "-" + upTo;
    }

    /**
     * Has somebody told what happens from now on, on whatever thread it happens.
     *
     * @param mark how far they know already
     * @return what they missed since; nothing where that is not known any more
     */
    synchronized Optional<List<FeedEntry>> subscribe(String mark, Consumer<FeedEntry> reader) {
        subscribers.add(reader);
        String rest = mark.startsWith(feedId + "-") ? mark.substring(feedId.length() + 1) : "";
        if (!rest.matches("\\d{1,18}")) {
            return Optional.empty();
        }
        long known = Long.parseLong(rest);
        boolean complete =
                known >= number || (!buffer.isEmpty() && buffer.getFirst().number() <= known + 1);
        return complete
                ? Optional.of(buffer.stream()
                        .filter(feedEntry -> feedEntry.number() > known)
                        .toList())
                : Optional.empty();
    }

    void unsubscribe(Consumer<FeedEntry> reader) {
        subscribers.remove(reader);
    }
}
