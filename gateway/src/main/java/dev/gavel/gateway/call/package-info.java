/**
 * Records every MCP call of a topic in a separate stream of the ledger, and reads the records: who called what, and how
 * the call was answered.
 */
@NullMarked
package dev.gavel.gateway.call;

import org.jspecify.annotations.NullMarked;
