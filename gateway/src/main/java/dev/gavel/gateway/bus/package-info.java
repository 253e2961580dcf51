/**
 * Communication between gateway processes that serve the same topics: {@code Bus} carries envelopes and presence,
 * {@code RemoteLedgerWriteDispatcher} reports what other processes wrote to the ledger. Nothing durable depends on the
 * bus.
 */
@NullMarked
package dev.gavel.gateway.bus;

import org.jspecify.annotations.NullMarked;
