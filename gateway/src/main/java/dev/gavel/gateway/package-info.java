/**
 * The entry point of the gateway module: {@code Gateway} owns the topics of this process, and {@code ReviewDecisionSubmitter}
 * approves, rejects and acknowledges proposals for in-process callers.
 */
@NullMarked
package dev.gavel.gateway;

import org.jspecify.annotations.NullMarked;
