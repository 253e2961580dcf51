/** Publishes proposal events in ledger order, regardless of which gateway process wrote them. */
@NullMarked
package dev.gavel.gateway.publication;

import org.jspecify.annotations.NullMarked;
