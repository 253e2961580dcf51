/**
 * MCPx as it travels: kinds, envelopes, capabilities, error codes, and the spelling before ADR-008.
 *
 * <p>Everything here is pure: bytes in, values out. Time is an argument, and no socket, file, clock or database is known.
 * Reading is one pass over the bytes as they came ({@link dev.gavel.mcpx.EnvelopeReader}); what is forwarded is spliced
 * from those same bytes ({@link dev.gavel.mcpx.Envelope#encode}), so a payload is never re-encoded. What a member may send
 * is a list of patterns compiled once ({@link dev.gavel.mcpx.Capabilities}).
 */
@NullMarked
package dev.gavel.mcpx;

import org.jspecify.annotations.NullMarked;
