/**
 * The docket: a topic's proposals as the ledger keeps them. {@link dev.gavel.gateway.docket.Docket} has what happens to
 * them decided in the ledger's order, and reads them; {@link dev.gavel.gateway.docket.Message} is what there is to send
 * of it, live or in a replay. Knows proposals and the ledger, but neither topics nor connections.
 */
@NullMarked
package dev.gavel.gateway.docket;

import org.jspecify.annotations.NullMarked;
