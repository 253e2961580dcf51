package dev.gavel.lifecycle.process;

import java.time.Duration;
import java.util.List;

/**
 * A rule of a process by which people regularly get a list of the proposals that wait for them.
 *
 * @param every the time between two digests
 * @param roles the roles whose holders get the digest, none of them held in a single proposal
 */
public record DigestRule(Duration every, List<String> roles) {
    public DigestRule {
        roles = List.copyOf(roles);
    }
}
