package dev.gavel.gateway.bus;

import dev.gavel.mcpx.CapabilitySet;

/**
 * A member's presence in a topic in one gateway process, with the number that decides which process has the member's
 * newest socket. Immutable.
 *
 * @param claim of those who have a socket the highest keeps it, and of equal ones the process with the greater name; 0
 *     for who is here without a socket
 */
public record MemberPresence(String member, CapabilitySet capabilitySet, long claim) {
    /** Whether a socket of this stay is newer than another of the same member. */
    public boolean isNewerThan(long otherClaim, String where, String otherProcess) {
        return claim > otherClaim || (claim == otherClaim && claim > 0 && where.compareTo(otherProcess) > 0);
    }
}
