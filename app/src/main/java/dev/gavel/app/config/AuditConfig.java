package dev.gavel.app.config;

import dev.gavel.gateway.call.CallRecorder.AuditMode;
import java.time.Duration;

/**
 * The audit settings of a server: how calls are recorded in the ledger, and how long the records are stored.
 *
 * @param mode the mode of topics that do not set their own
 * @param retention the age at which the records of calls are deleted
 * @param size the size of one topic's records, in bytes, above which the oldest are deleted
 */
public record AuditConfig(AuditMode mode, Duration retention, long size) {
    public static final AuditConfig DEFAULT = new AuditConfig(AuditMode.ON, Duration.ofDays(90), 1024L * 1024 * 1024);
}
