/**
 * Whether Gavel holds under stress: {@link dev.gavel.bench.reliability.Reliability} runs one {@link
 * dev.gavel.bench.reliability.Trial} after the other against the built server as a process, and says of each what came
 * out. Clients here are plain sockets with a virtual thread each, so that they can be as slow, as many and as rude as a
 * trial wants.
 */
@NullMarked
package dev.gavel.bench.reliability;

import org.jspecify.annotations.NullMarked;
