/**
 * An operation proposal's life: what happened to it ({@link dev.gavel.gateway.proposal.ProposalEvent}), how it stands
 * ({@link dev.gavel.gateway.proposal.Proposal}), what comes of what people send and of time passing ({@link
 * dev.gavel.gateway.proposal.ProposalLife}), and what to tell whom about it.
 *
 * <p>Everything here is pure: time and who is connected are arguments, and no ledger, socket or thread is known. Every
 * type is immutable.
 */
@NullMarked
package dev.gavel.gateway.proposal;

import org.jspecify.annotations.NullMarked;
