package dev.gavel.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a reviewer decides about a proposal: approve, reject, report a status, or leave it to others. Every case is
 * immutable.
 */
public sealed interface Decision {
    /**
     * Have it carried out.
     *
     * @param edited the call to make instead of the one proposed; its method and tool must be the same
     * @param runner who is to run it; may be left out where only one could
     */
    record Approve(Optional<Call> edited, Optional<String> runner) implements Decision {
        /** The same, to be run by this one. */
        public Approve runBy(String participant) {
            return new Approve(edited, Optional.of(participant));
        }
    }

    /**
     * Do not have it carried out.
     *
     * @param reason {@code busy}, {@code incapable} and {@code resource_limit} speak for this participant alone; any
     *     other is a veto
     */
    record Reject(String reason, Optional<String> note) implements Decision {
        /** The same, with an explanation. */
        public Reject note(String text) {
            return new Reject(reason, Optional.of(text));
        }
    }

    /**
     * Tell the proposer how far this is.
     *
     * @param status considering, queued, processing or unable
     */
    record ReportStatus(String status, Optional<String> note) implements Decision {}

    /** Do nothing. */
    record Leave() implements Decision {}

    /** Have it carried out as it was proposed. */
    static Approve approve() {
        return new Approve(Optional.empty(), Optional.empty());
    }

    /** Have this carried out instead: the same tool with other arguments. */
    static Approve approve(Call edited) {
        return new Approve(Optional.of(edited), Optional.empty());
    }

    /** Do not have it carried out. */
    static Reject reject(String reason) {
        return new Reject(reason, Optional.empty());
    }

    /** Tell the proposer that somebody is looking at it; decide it later by {@link Participant#decide}. */
    static ReportStatus considering(@Nullable String note) {
        return new ReportStatus("considering", Optional.ofNullable(note));
    }

    /** Leave it to others. */
    static Leave leave() {
        return new Leave();
    }
}
