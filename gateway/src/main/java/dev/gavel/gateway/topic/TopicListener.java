package dev.gavel.gateway.topic;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.ProposalChange;
import dev.gavel.mcpx.Envelope;

/**
 * Receives the events of all topics of this process: participants joining and leaving, member changes, envelopes and
 * proposal changes. Called on the topic's loop, which it must not hold up.
 */
public interface TopicListener {
    /** Somebody is here who was not. */
    default void onParticipantJoined(Topic topic, Member member) {}

    /** Somebody is here no more. */
    default void onParticipantLeft(Topic topic, Member member) {}

    /** Somebody may send other things from now on, whether or not they are here. */
    default void onMemberChanged(Topic topic, Member member) {}

    /** Somebody is a member no more. */
    default void onMemberRemoved(Topic topic, Member member) {}

    /** An envelope was sent that is about no proposal. */
    default void onEnvelope(Topic topic, String from, Envelope envelope) {}

    /** Something happened to a proposal, in whatever process, and is durable. */
    default void onProposalChange(Topic topic, ProposalChange change) {}

    /** This process wrote that something happened to a proposal: told once among all processes, for who counts or traces. */
    default void onProposalWrite(Topic topic, ProposalChange change) {}
}
