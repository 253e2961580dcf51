/** The {@code BusTransport} over NATS. Not loaded if another bus is configured. */
@NullMarked
package dev.gavel.gateway.bus.nats;

import org.jspecify.annotations.NullMarked;
