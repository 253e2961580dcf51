package dev.gavel.gateway.bus;

import dev.gavel.mcpx.CapabilitySet;

/**
 * A member's presence in a topic in one gateway process, with the number that decides which process has the member's
 * newest socket. Immutable.
 *
 * @param socketPrecedence the highest claim keeps the socket; between equal claims, the process with the greater name does. 0 for
 *     a member that is present without a socket
 */
public record MemberPresence(String member, CapabilitySet capabilitySet, long socketPrecedence) {
    /**
     * Whether this presence's socket is newer than another socket of the same member.
     *
     * @param process the process of this presence
     */
    public boolean isNewerThan(long otherClaim, String process, String otherProcess) {
        return socketPrecedence > otherClaim
                || (socketPrecedence == otherClaim && socketPrecedence > 0 && process.compareTo(otherProcess) > 0);
    }
}
