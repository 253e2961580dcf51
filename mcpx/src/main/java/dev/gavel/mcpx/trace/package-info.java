/**
 * How the parts that a proposal passes agree on one trace of it without telling each other: {@link
 * dev.gavel.mcpx.trace.ProposalTrace} derives its ids from the proposal itself.
 */
@NullMarked
package dev.gavel.mcpx.trace;

import org.jspecify.annotations.NullMarked;
