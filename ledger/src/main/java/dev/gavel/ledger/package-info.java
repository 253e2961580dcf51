/**
 * Events kept: {@link dev.gavel.ledger.LedgerStore} is the port a database fulfils, {@link dev.gavel.ledger.Event} what
 * it keeps, {@link dev.gavel.ledger.Summary} how a subject stands. Streams, subjects and types are only names here:
 * nothing knows what they mean.
 */
@NullMarked
package dev.gavel.ledger;

import org.jspecify.annotations.NullMarked;
