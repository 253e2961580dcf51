package dev.gavel.mcp.facade.port;

import dev.gavel.gateway.Membership;
import dev.gavel.gateway.Warrant;

/**
 * Somebody who comes with a request: a member of the topic, for as long as what they came with is good.
 *
 * @param settings how their calls are treated while they wait
 */
public record Visitor(Membership membership, Warrant warrant, Settings settings) {}
