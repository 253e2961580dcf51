package dev.gavel.gateway.bus;

import dev.gavel.mcpx.CapabilitySet;

/**
 * A member's being present in a topic in one process, by however many connections. Immutable.
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
