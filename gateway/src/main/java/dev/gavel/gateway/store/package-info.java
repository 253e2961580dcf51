/**
 * A topic's proposals in the ledger: {@code ProposalStore} decides and appends in ledger order, {@code ProposalReader}
 * reads, and {@code OutgoingProposalMessage} is a message to send about an event, the same live and replayed. Knows
 * proposals and the ledger, but neither topics nor connections.
 */
@NullMarked
package dev.gavel.gateway.store;

import org.jspecify.annotations.NullMarked;
