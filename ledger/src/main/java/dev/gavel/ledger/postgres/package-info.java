/**
 * Stores the ledger in a PostgreSQL database that several gateway processes can share. Also provides the leases by
 * which these processes agree on which one runs a task.
 */
@NullMarked
package dev.gavel.ledger.postgres;

import org.jspecify.annotations.NullMarked;
