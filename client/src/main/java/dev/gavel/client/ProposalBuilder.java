package dev.gavel.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds and sends a proposal for a call, with optional recipients, time limit, id and guidance listener. Not
 * thread-safe.
 */
public final class ProposalBuilder {
    private final Participant participant;
    private final Call call;
    private @Nullable String chosenId;
    private List<String> to = List.of();
    private @Nullable Duration ttl;
    private @Nullable Consumer<Guidance> onGuidance;

    ProposalBuilder(Participant participant, Call call) {
        this.participant = participant;
        this.call = call;
    }

    /**
     * Sets the recipients: participants that are to decide the proposal or to run its call. Without this, the proposal
     * is addressed to all participants.
     */
    public ProposalBuilder to(String... names) {
        to = List.of(names);
        return this;
    }

    /**
     * Sets how long the proposal may stay undecided. Counted in whole seconds, at least one; the topic has a maximum.
     */
    public ProposalBuilder ttl(Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("a proposal's ttl must be above 0, not " + time);
        }
        ttl = Duration.ofSeconds(Math.max(1, time.plusMillis(999).toSeconds()));
        return this;
    }

    /**
     * Sets the proposal's id, in place of a generated one. A program that stores the id can send the same proposal
     * again after a restart without creating a second one. The client then looks up the proposal's current state.
     */
    public ProposalBuilder id(String proposalId) {
        chosenId = proposalId;
        return this;
    }

    /**
     * Sets the listener for guidance, which is called whenever the guidance changes. It runs on a virtual thread, one
     * call at a time; a slow listener gets only the newest guidance.
     */
    public ProposalBuilder onGuidance(Consumer<Guidance> listener) {
        onGuidance = listener;
        return this;
    }

    /** Sends the proposal. Returns once it is queued; blocks while too many envelopes are queued. */
    public Pending send() {
        return participant.propose(
                Optional.ofNullable(chosenId), call, to, Optional.ofNullable(ttl), Optional.ofNullable(onGuidance));
    }
}
