package dev.gavel.gateway.call;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record about MCP calls in a topic, as the ledger stores it. Immutable. */
public sealed interface CallRecord {
    /** The time of the recorded event; for {@link Lost}, of the last lost record. */
    Instant at();

    /**
     * A member made a call.
     *
     * @param at when the gateway received the call; an answer refers to it
     * @param id the id of the request's envelope, which the caller chose; it may repeat
     * @param by the caller
     * @param to the addressees, at most {@link #MAX_RECIPIENTS}; empty for a broadcast
     * @param name the tool's or prompt's name, or the resource's URI; null if the call has none
     * @param digest the {@linkplain CallParamsDigest digest} of the parameters
     * @param bytes the length of the request's payload
     * @param proposal the id of the proposal that the call fulfils; null if it fulfils none
     */
    record Called(
            Instant at,
            String id,
            String by,
            List<String> to,
            String method,
            @Nullable String name,
            String digest,
            int bytes,
            @Nullable String proposal)
            implements CallRecord {
        static final int MAX_RECIPIENTS = 16;
        static final int MAX_NAME_LENGTH = 1024;

        public Called {
            to = List.copyOf(to.size() > MAX_RECIPIENTS ? to.subList(0, MAX_RECIPIENTS) : to);
            name = name == null || name.length() <= MAX_NAME_LENGTH ? name : name.substring(0, MAX_NAME_LENGTH) + "…";
        }

        /** A copy with another text for the caller. */
        Called withCaller(String caller) {
            return caller.equals(by) ? this : new Called(at, id, caller, to, method, name, digest, bytes, proposal);
        }

        /** Whether a member made the call or was sent it. */
        boolean involves(String member) {
            return by.equals(member) || to.isEmpty() || to.contains(member);
        }

        /** Whether a member's answer can belong to this call. */
        boolean isAddressedTo(String member) {
            return to.isEmpty() || to.size() == MAX_RECIPIENTS || to.contains(member);
        }
    }

    /**
     * A call was answered, or the gateway knows that it will not be.
     *
     * @param id the id of the call's request
     * @param caller the member that made the call
     * @param by the member that answered; the gateway if the outcome is not a response
     * @param micros the time since the call in microseconds; null if this gateway did not see the call
     * @param calledAt the time in the record of the call; null if this gateway did not see the call. Ids may repeat, so
     *     this tells which of several calls was answered
     */
    record Answered(
            Instant at,
            String id,
            String caller,
            String by,
            CallOutcome outcome,
            @Nullable Long micros,
            @Nullable Instant calledAt)
            implements CallRecord {
        /** Whether the answer can belong to a call, judged by the time of the call. */
        boolean mayAnswerCallOf(Instant time) {
            return calledAt == null || calledAt.equals(time);
        }
    }

    /**
     * Records were lost, because more waited for the ledger than the gateway keeps in memory.
     *
     * @param count the number of lost records
     * @param since the time of the first lost record
     */
    record Lost(Instant since, Instant at, long count) implements CallRecord {}
}
