package dev.gavel.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reviewer's decision on a proposal: approve, reject, report a status, or leave the decision to other reviewers.
 * Every case is immutable.
 */
public sealed interface Decision {
    /**
     * Approves the proposal, so that its call is run.
     *
     * @param edited the call to run instead of the proposed one; its method and tool must be the same
     * @param runner the participant that runs the call; may be empty if only one participant could run it
     * @param unchecked whether an edited call may run although its arguments do not match the tool's schema
     * @param definition the digest of the tool definition that the approval is for; empty for the definition when the
     *     call was proposed
     */
    record Approve(Optional<Call> edited, Optional<String> runner, boolean unchecked, Optional<String> definition)
            implements Decision {
        /** Returns a copy with this participant as the runner. */
        public Approve runBy(String participant) {
            return new Approve(edited, Optional.of(participant), unchecked, definition);
        }

        /** Returns a copy whose edited arguments the gateway does not check against the tool's schema. */
        public Approve withoutCheck() {
            return new Approve(edited, runner, true, definition);
        }

        /** Returns a copy that approves the call for the tool definition with this digest. */
        public Approve forDefinition(String digest) {
            return new Approve(edited, runner, unchecked, Optional.of(digest));
        }
    }

    /**
     * Rejects the proposal.
     *
     * @param reason with {@code busy}, {@code incapable} or {@code resource_limit} the reviewer only speaks for itself;
     *     any other reason is a veto
     */
    record Reject(String reason, Optional<String> note) implements Decision {
        /** Returns a copy with an explanation. */
        public Reject note(String text) {
            return new Reject(reason, Optional.of(text));
        }
    }

    /**
     * Reports a status to the proposer, without a decision.
     *
     * @param status {@code considering}, {@code queued}, {@code processing} or {@code unable}
     */
    record ReportStatus(String status, Optional<String> note) implements Decision {}

    /** Sends nothing and leaves the proposal to other reviewers. */
    record Leave() implements Decision {}

    /** Approves the proposed call unchanged. */
    static Approve approve() {
        return new Approve(Optional.empty(), Optional.empty(), false, Optional.empty());
    }

    /** Approves an edited call: the same method and tool with other arguments. */
    static Approve approve(Call edited) {
        return new Approve(Optional.of(edited), Optional.empty(), false, Optional.empty());
    }

    /** Rejects the proposal with this reason. */
    static Reject reject(String reason) {
        return new Reject(reason, Optional.empty());
    }

    /**
     * Reports to the proposer that a reviewer is considering the proposal. The program can decide later with
     * {@link Participant#decide}.
     */
    static ReportStatus considering(@Nullable String note) {
        return new ReportStatus("considering", Optional.ofNullable(note));
    }

    /** Leaves the proposal to other reviewers. */
    static Leave leave() {
        return new Leave();
    }
}
