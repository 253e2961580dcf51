/**
 * Results of the lifecycle engine: accepted events or a refusal, guidance for a reader, and the eligibility of moves.
 * Independent of process definitions, so that lifecycles with rules in code use the same types.
 */
@NullMarked
package dev.gavel.lifecycle.result;

import org.jspecify.annotations.NullMarked;
