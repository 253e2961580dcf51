/**
 * The reliability trials ({@code faults/reliability}): put the built server under stress, one trial after the other,
 * and report which checks pass. Clients are plain sockets, so that there can be many of them and they can read slowly
 * or stop reading.
 */
@NullMarked
package dev.gavel.faults.reliability;

import org.jspecify.annotations.NullMarked;
