/**
 * Who of several processes does what only one may do at a time: {@link dev.gavel.ledger.lease.Leases}. Where there is one
 * process only, that is easily told: {@link dev.gavel.ledger.lease.Alone}.
 */
@NullMarked
package dev.gavel.ledger.lease;

import org.jspecify.annotations.NullMarked;
