/**
 * The rules for proposals of MCP calls: their events, their state, the decisions on envelopes and on time passing, and
 * the notices that follow. Pure: time and presence are arguments, and every type is immutable.
 */
@NullMarked
package dev.gavel.gateway.proposal;

import org.jspecify.annotations.NullMarked;
