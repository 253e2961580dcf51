/**
 * The bus of several gateway processes over any {@code BusTransport}: its messages, their encoding, and a registry of
 * peer processes with leases.
 */
@NullMarked
package dev.gavel.gateway.bus.cluster;

import org.jspecify.annotations.NullMarked;
