/**
 * Defines the append-only event store: the {@code LedgerStore} interface that each database backend implements, the
 * events and subject summaries it stores, and the hash chain that protects them. Streams, subjects and event types are
 * opaque names here.
 */
@NullMarked
package dev.gavel.ledger;

import org.jspecify.annotations.NullMarked;
