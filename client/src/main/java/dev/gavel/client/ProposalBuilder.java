package dev.gavel.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a proposal of a call, with its recipients, time limit, id and guidance listener, and sends it. Not
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

    /** To whom: who should decide it, or where it is to run. Without this, to everybody. */
    public ProposalBuilder to(String... names) {
        to = List.of(names);
        return this;
    }

    /** How long it may stay undecided; the topic has a maximum. Counted in whole seconds, at least one. */
    public ProposalBuilder ttl(Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("a proposal needs some time to be decided in, not " + time);
        }
        ttl = Duration.ofSeconds(Math.max(1, time.plusMillis(999).toSeconds()));
        return this;
    }

    /**
     * The id it has, instead of one of the library's: a program that keeps it can propose the same again after it was
     * restarted, without it being there twice. What became of it meanwhile is looked up then.
     */
    public ProposalBuilder id(String chosen) {
        chosenId = chosen;
        return this;
    }

    /**
     * Hears how it stands, whenever that changes: on a thread of its own, one at a time; who is slow hears the newest
     * only.
     */
    public ProposalBuilder onGuidance(Consumer<Guidance> listener) {
        onGuidance = listener;
        return this;
    }

    /** Makes it. Returns when it is on its way; waits where too much is on its way already. */
    public Pending send() {
        return participant.propose(
                Optional.ofNullable(chosenId), call, to, Optional.ofNullable(ttl), Optional.ofNullable(onGuidance));
    }
}
