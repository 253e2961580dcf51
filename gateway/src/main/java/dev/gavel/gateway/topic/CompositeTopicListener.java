package dev.gavel.gateway.topic;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.mcpx.Envelope;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards topic events to every registered listener; if a listener fails, logs it and continues with the others.
 * Thread-safe.
 */
public final class CompositeTopicListener implements TopicListener {
    private static final Logger log = LoggerFactory.getLogger(CompositeTopicListener.class);

    private final List<TopicListener> listeners = new CopyOnWriteArrayList<>();

    public void add(TopicListener listener) {
        listeners.add(listener);
    }

    @Override
    public void onParticipantJoined(Topic topic, Member member) {
        forEachListener(listener -> listener.onParticipantJoined(topic, member));
    }

    @Override
    public void onParticipantLeft(Topic topic, Member member) {
        forEachListener(listener -> listener.onParticipantLeft(topic, member));
    }

    @Override
    public void onMemberChanged(Topic topic, Member member) {
        forEachListener(listener -> listener.onMemberChanged(topic, member));
    }

    @Override
    public void onMemberRemoved(Topic topic, Member member) {
        forEachListener(listener -> listener.onMemberRemoved(topic, member));
    }

    @Override
    public void onEnvelope(Topic topic, String from, Envelope envelope) {
        if (!listeners.isEmpty()) {
            forEachListener(listener -> listener.onEnvelope(topic, from, envelope));
        }
    }

    @Override
    public void onProposalChange(Topic topic, AppliedProposalEvent change) {
        forEachListener(listener -> listener.onProposalChange(topic, change));
    }

    @Override
    public void onReachabilityChange(Topic topic, String proposalId) {
        forEachListener(listener -> listener.onReachabilityChange(topic, proposalId));
    }

    @Override
    public void onProposalWrite(Topic topic, AppliedProposalEvent change) {
        forEachListener(listener -> listener.onProposalWrite(topic, change));
    }

    private void forEachListener(Consumer<TopicListener> action) {
        for (TopicListener listener : listeners) {
            try {
                action.accept(listener);
            } catch (RuntimeException e) {
                log.error("A topic listener failed.", e);
            }
        }
    }
}
