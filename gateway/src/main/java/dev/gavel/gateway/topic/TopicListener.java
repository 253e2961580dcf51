package dev.gavel.gateway.topic;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.mcpx.Envelope;

/**
 * Receives the events of all topics of this process: participants joining and leaving, member changes, envelopes and
 * proposal changes. Called on the topic's loop, which it must not block.
 */
public interface TopicListener {
    /** A member became present. */
    default void onParticipantJoined(Topic topic, Member member) {}

    /** A member is no longer present. */
    default void onParticipantLeft(Topic topic, Member member) {}

    /** A member was added or its capabilities changed, whether or not it is present. */
    default void onMemberChanged(Topic topic, Member member) {}

    /** A member was removed. */
    default void onMemberRemoved(Topic topic, Member member) {}

    /** An envelope that concerns no proposal was sent. */
    default void onEnvelope(Topic topic, String from, Envelope envelope) {}

    /** An event of a proposal, written by any process, is durable. */
    default void onProposalChange(Topic topic, AppliedProposalEvent change) {}

    /** Reviewers of an open proposal are connected again, or none is connected any more. */
    default void onReachabilityChange(Topic topic, String proposalId) {}

    /** This process wrote an event of a proposal. Called in exactly one process per event, for counting and tracing. */
    default void onProposalWrite(Topic topic, AppliedProposalEvent change) {}
}
