package dev.gavel.gateway.bus;

import dev.gavel.mcpx.CapabilitySet;

/**
 * A member's presence in a topic through one gateway process: capabilities, and a number that shows which of the
 * member's WebSockets is newest. Immutable.
 *
 * @param socketPrecedence orders the member's WebSockets over all processes: only the one with the highest number stays
 *     open; between equal numbers, the one in the process with the greater id. 0 if the member has no WebSocket
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
