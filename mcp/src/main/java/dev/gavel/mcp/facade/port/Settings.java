package dev.gavel.mcp.facade.port;

import java.time.Duration;

/**
 * How somebody's calls are treated while they wait for a decision.
 *
 * @param hold how long a call waits whose client asked for no progress, before it is told that the call is pending
 * @param keep whether a proposal stays when the client's connection is lost
 */
public record Settings(Duration hold, boolean keep) {
    public static final Settings DEFAULT = new Settings(Duration.ofSeconds(45), false);
}
