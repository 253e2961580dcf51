/**
 * The load generator, which sends numbered envelopes from many connections on one thread and verifies every delivery,
 * and the raw relay, which a gateway is compared with.
 */
@NullMarked
package dev.gavel.bench.load;

import org.jspecify.annotations.NullMarked;
