/** Runs blocking work, such as ledger reads, so that no identity can keep the others waiting. */
@NullMarked
package dev.gavel.ledger.executor;

import org.jspecify.annotations.NullMarked;
