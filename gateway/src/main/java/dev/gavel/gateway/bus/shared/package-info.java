/**
 * The bus of several processes, over any {@link dev.gavel.gateway.bus.wire.Wire}: what they say to each other
 * ({@link dev.gavel.gateway.bus.shared.Message}), and who is where, by leases.
 */
@NullMarked
package dev.gavel.gateway.bus.shared;

import org.jspecify.annotations.NullMarked;
