/**
 * The test of repeated MCP calls ({@code faults/repeated-calls}): MCP clients make calls, give up, cancel and call
 * again at several gateways, while gateways are killed and the tool server disconnects. Afterwards, the ledger, the runs
 * that the tool server counted and the answers that the clients got are checked: no call ran twice, and every client
 * that kept calling got an answer.
 */
@NullMarked
package dev.gavel.faults.repeatedcalls;

import org.jspecify.annotations.NullMarked;
