package dev.gavel.web.registry;

import java.time.Duration;
import java.util.List;

/**
 * The result of an admin's command to the identity registry: recorded, refused, impossible without a ledger, or
 * temporarily unavailable.
 */
public sealed interface RegistryCommandResult {
    /**
     * The command is durable and in effect.
     *
     * @param snapshot the current registry
     * @param changes what the command changed
     */
    record Done(RegistrySnapshot snapshot, List<RegistryChange> changes) implements RegistryCommandResult {
        public Done {
            changes = List.copyOf(changes);
        }
    }

    /** The command was refused and changed nothing. */
    record Refused(RegistryDecisionResult.Refused decision) implements RegistryCommandResult {}

    /** The command changed nothing, because there is no ledger to record it in. */
    record NoLedger() implements RegistryCommandResult {}

    /** The command changed nothing for a temporary reason; the admin may try again. */
    record Unavailable(String reason, Duration retryAfter) implements RegistryCommandResult {}

    /**
     * The ledger is unavailable. A revocation is in effect in this process, and is stored when the ledger is available.
     *
     * @param survivesRestart whether it stays in effect if this process restarts before
     */
    record NotDurable(String reason, boolean survivesRestart, Duration retryAfter) implements RegistryCommandResult {}
}
