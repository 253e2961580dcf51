/**
 * Provides leases that let one of several processes sharing a ledger run a task at a time, with an implementation for a
 * process that does not share its ledger.
 */
@NullMarked
package dev.gavel.ledger.lease;

import org.jspecify.annotations.NullMarked;
