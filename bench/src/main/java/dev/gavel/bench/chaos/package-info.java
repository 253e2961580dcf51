/**
 * Chaos: several gateways on PostgreSQL and NATS, participants spread over them, and whatever can be killed, stopped or cut
 * off is, by a seeded plan; then what was promised is looked up in the ledger and in what every participant heard.
 */
@NullMarked
package dev.gavel.bench.chaos;

import org.jspecify.annotations.NullMarked;
