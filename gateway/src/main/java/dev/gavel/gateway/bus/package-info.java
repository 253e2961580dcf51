/**
 * What lies between gateway processes: {@link dev.gavel.gateway.bus.Bus} carries envelopes and tells who is where, and
 * {@link dev.gavel.gateway.bus.Lookout} tells that the ledger has grown. Nothing durable depends on the bus.
 */
@NullMarked
package dev.gavel.gateway.bus;

import org.jspecify.annotations.NullMarked;
