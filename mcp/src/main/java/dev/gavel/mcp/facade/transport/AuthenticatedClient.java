package dev.gavel.mcp.facade.transport;

import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.RevocableAccessGrant;

/**
 * The authenticated sender of an MCP request: its topic membership, its credential and its call settings.
 *
 * @param settings how the client's calls are handled while they wait for a decision
 */
public record AuthenticatedClient(
        LiveMembership membership, RevocableAccessGrant accessGrant, PendingCallSettings settings) {}
