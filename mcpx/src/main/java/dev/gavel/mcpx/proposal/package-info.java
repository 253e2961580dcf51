/**
 * Builds the envelopes with which participants propose calls and fulfil, reject, withdraw or report on proposals,
 * generates envelope ids, and defines the standard rejection reasons.
 */
@NullMarked
package dev.gavel.mcpx.proposal;

import org.jspecify.annotations.NullMarked;
