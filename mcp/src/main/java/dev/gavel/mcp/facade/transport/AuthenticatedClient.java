package dev.gavel.mcp.facade.transport;

import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.RevocableAccessGrant;

/**
 * Somebody who comes with a request: a member of the topic, for as long as what they came with is good.
 *
 * @param settings how their calls are treated while they wait
 */
public record AuthenticatedClient(
        LiveMembership membership, RevocableAccessGrant credential, PendingCallSettings settings) {}
