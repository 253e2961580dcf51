package dev.gavel.gateway.call;

import java.util.Optional;

/**
 * A recorded call joined with the record of its answer. Immutable.
 *
 * @param answer the record of its answer; empty if there is none, or none was found
 * @param outcome the outcome of the answer, or why there is none
 */
public record AuditedCall(CallRecord.Called called, Optional<CallRecord.Answered> answer, CallOutcome outcome) {}
