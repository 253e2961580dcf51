/** {@link dev.gavel.gateway.bus.wire.Wire} over NATS. Not loaded where another bus is configured. */
@NullMarked
package dev.gavel.gateway.bus.nats;

import org.jspecify.annotations.NullMarked;
