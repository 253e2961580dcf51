package dev.gavel.web.registry;

import java.time.Duration;
import java.util.List;

/** The result of a registry command: done and durable, refused, impossible without a ledger, or unavailable for now. */
public sealed interface RegistryCommandResult {
    /**
     * It is durable and in effect.
     *
     * @param snapshot how things stand now
     * @param changes what it changed
     */
    record Done(RegistrySnapshot snapshot, List<RegistryChange> changes) implements RegistryCommandResult {
        public Done {
            changes = List.copyOf(changes);
        }
    }

    /** Nothing was changed, and this is why. */
    record Refused(RegistryDecisionResult.Refused decision) implements RegistryCommandResult {}

    /** Nothing was changed: there is no ledger to keep it in. */
    record NoLedger() implements RegistryCommandResult {}

    /** Nothing was changed, through nobody's fault. */
    record Unavailable(String reason, Duration retryAfter) implements RegistryCommandResult {}
}
