package dev.gavel.web.console.live;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.AppliedProposalEvent;
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
 * Notifies open console pages of changes, and buffers recent changes so that a page misses none. A page names the last
 * change that it knows by a mark, so that no change is lost between rendering the page and opening its stream.
 * Thread-safe.
 */
public final class ChangeFeed implements TopicListener {
    private static final int MAX_BUFFERED = 2_000;

    private final String feedId;
    private final Deque<FeedEntry> buffer = new ArrayDeque<>();
    private final Set<Consumer<FeedEntry>> subscribers = new CopyOnWriteArraySet<>();
    private long number;

    public ChangeFeed() {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        this.feedId = HexFormat.of().formatHex(random);
    }

    /**
     * A published change.
     *
     * @param number its position in the feed
     */
    public record FeedEntry(long number, ChangeSubject subject) {}

    /** What changed. */
    public sealed interface ChangeSubject {
        /** The state of a proposal changed. */
        record Proposal(Topic topic, String id) implements ChangeSubject {}

        /**
         * A participant joined or left, or changed its offers, so that other participants may be able to run calls now.
         */
        record Presence(Topic topic) implements ChangeSubject {}

        /** The capabilities of an identity in a topic changed. */
        record Rights(Topic topic, String identity) implements ChangeSubject {}

        /** SEPs may have changed. */
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

    /** Called when a connected participant changes what it offers. */
    public void onOffersChanged(Topic topic) {
        publish(new ChangeSubject.Presence(topic));
    }

    @Override
    public void onMemberChanged(Topic topic, Member member) {
        publish(new ChangeSubject.Rights(topic, member.id()));
    }

    @Override
    public void onProposalChange(Topic topic, AppliedProposalEvent change) {
        publish(new ChangeSubject.Proposal(topic, change.after().id()));
    }

    @Override
    public void onReachabilityChange(Topic topic, String proposalId) {
        publish(new ChangeSubject.Proposal(topic, proposalId));
    }

    /** Called when SEPs may have changed. */
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

    /** Returns the mark of the latest change. */
    public synchronized String mark() {
        return mark(number);
    }

    /** Returns the mark of the change with this number. */
    String mark(long upTo) {
        return feedId + "-" + upTo;
    }

    /**
     * Subscribes a reader to all further changes. The reader is called on the thread that publishes the change.
     *
     * @param mark the last change that the reader knows
     * @return the changes since the mark; empty if the buffer no longer holds all of them
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
