package dev.gavel.gateway.call;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selects calls of a topic by caller, addressee, method, name, proposal, outcome and time. Immutable.
 *
 * @param by the caller
 * @param to an addressee
 * @param name the name of the tool or prompt, or the URI of the resource
 * @param proposal the id of the proposal that the call fulfils
 * @param after the earliest time of a call
 * @param involved a member that made the call, or to which it was addressed
 */
public record CallQuery(
        Optional<String> by,
        Optional<String> to,
        Optional<String> method,
        Optional<String> name,
        Optional<String> proposal,
        Optional<CallOutcome> outcome,
        Optional<Instant> after,
        Optional<String> involved) {
    /** Selects all calls. */
    public static final CallQuery ALL = new CallQuery(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    boolean matches(AuditedCall audited) {
        CallRecord.Called called = audited.called();
        return matches(by, called.by())
                && to.map(called.to()::contains).orElse(true)
                && matches(method, called.method())
                && matches(name, called.name())
                && matches(proposal, called.proposal())
                && outcome.map(wanted -> wanted == audited.outcome()).orElse(true)
                && involved.map(called::involves).orElse(true)
                && !isBefore(called.at());
    }

    /** Whether the caller is the wanted one. */
    boolean matchesCaller(CallRecord.Called called) {
        return matches(by, called.by());
    }

    /** A copy that selects calls of all callers. */
    CallQuery withoutCaller() {
        return new CallQuery(Optional.empty(), to, method, name, proposal, outcome, after, involved);
    }

    /** A copy that selects only calls in which a member was involved. */
    CallQuery involving(String member) {
        return new CallQuery(by, to, method, name, proposal, outcome, after, Optional.of(member));
    }

    /** Whether a time is before the earliest time of a call. */
    boolean isBefore(Instant at) {
        return after.map(at::isBefore).orElse(false);
    }

    private static boolean matches(Optional<String> wanted, @Nullable String actual) {
        return wanted.map(text -> text.equals(actual)).orElse(true);
    }
}
